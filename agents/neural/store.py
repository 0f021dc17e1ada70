"""Files of tensors with a description: one safetensors file, the description as JSON in its header.

Nothing in such a file can run code when it is read.  A file is written beside its place and renamed, so that a kill at
any moment leaves the old one or the new one whole; a checksum over all tensors tells damage that keeps the file's form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from terracotta_env.errors import TerracottaError
from terracotta_env.writing import write_atomically

FIELD: Final = "terracotta"  # of the header, with everything that is not a tensor


class StoreError(TerracottaError, ValueError):
    """A file of tensors that is missing, damaged or of another kind."""


def digest_of(tensors: Mapping[str, torch.Tensor]) -> str:
    """SHA-256 over names, types, shapes and bytes of all tensors."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def write_tensors(path: Path, kind: str, tensors: Mapping[str, torch.Tensor], about: Mapping[str, Any]) -> None:
    """Write ``tensors`` and ``about`` (JSON values) as a file of this kind, atomically."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    header = {"format": kind, "sha256": digest_of(held), **about}
    raw = save(held, {FIELD: json.dumps(header)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, raw)


def read_tensors(path: Path, kind: str, wanted: Mapping[str, Any]) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Tensors and description of a file of this kind.

    Args:
        wanted: entries that the description must have, such as the rules' version; looked at before any tensor.

    Raises:
        StoreError: says what came, what was expected and, where there is something, what to do.
    """
    try:
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {}).get(FIELD, "null"))
            if not isinstance(about, dict) or about.get("format") != kind:
                came = about.get("format") if isinstance(about, dict) else "a safetensors file of other origin"
                raise StoreError(f"{path}: expected a {kind}, got {came}")
            for name, value in wanted.items():
                if about.get(name) != value:
                    raise StoreError(f"{path}: made for {name} {about.get(name)!r}, this program has {value!r}")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
    except FileNotFoundError:
        raise StoreError(f"{path}: there is no such file; expected a {kind}") from None
    except (SafetensorError, OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise StoreError(
            f"{path}: is not a whole safetensors file ({error}); files that hold pickles are never read"
        ) from None
    if digest_of(tensors) != about.get("sha256"):
        raise StoreError(f"{path}: is damaged: its tensors are not those that were written (SHA-256 differs)")
    return tensors, about


def tensors_under(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors whose names begin with ``prefix`` and a dot, by the rest of their names."""
    return {
        name.removeprefix(f"{prefix}."): tensor for name, tensor in tensors.items() if name.startswith(f"{prefix}.")
    }
