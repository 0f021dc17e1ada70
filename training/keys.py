"""Every key of a config, from the models that check it: as a table for people, and as a TOML file of the defaults."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic.fields import FieldInfo

from .config import Section

_BOUNDS: Final = (("ge", "≥ {}"), ("gt", "> {}"), ("le", "≤ {}"), ("lt", "< {}"))
_WORDS: Final = {int: "whole number", float: "number", str: "text", bool: "true or false"}


@dataclass(frozen=True)
class Key:
    """One setting.

    Attributes:
        section, name: as in the file.
        kind: what values it takes, in words.
        default: as TOML.
        range: what values are allowed, "" for all of the kind.
        meaning: a phrase.
    """

    section: str
    name: str
    kind: str
    default: str
    range: str
    meaning: str


def keys_of(model: type[Section]) -> Iterator[Key]:
    """All keys, section by section."""
    for section, table in model.model_fields.items():
        assert isinstance(table.annotation, type)
        assert issubclass(table.annotation, Section)
        for name, field in table.annotation.model_fields.items():
            yield Key(
                section, name, _kind(field.annotation), _toml(field.default), _range(field), field.description or ""
            )


def markdown_table(model: type[Section]) -> str:
    """The keys as a Markdown table."""
    lines = ["| key | kind | default | range | meaning |", "|---|---|---|---|---|"]
    for key in keys_of(model):
        cells = (f"`{key.section}.{key.name}`", key.kind, f"`{key.default}`", key.range, key.meaning)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def toml_file(model: type[Section], head: str) -> str:
    """A file with every key at its default and what it means behind it.

    Args:
        head: comment lines at the top.
    """
    keys = list(keys_of(model))
    width = max(len(f"{key.name} = {key.default}") for key in keys if len(key.default) < 30)
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    section = ""
    for key in keys:
        if key.section != section:
            section = key.section
            about = (typing.cast(type, model.model_fields[section].annotation).__doc__ or "").strip().splitlines()[0]
            lines += ["", f"# {about}", f"[{section}]"]
        allowed = "".join(f"; {text}" for text in (key.kind if " or " in key.kind else "", key.range) if text)
        lines.append(f"{f'{key.name} = {key.default}':{width}}  # {key.meaning}{allowed}")
    return "\n".join(lines) + "\n"


def _kind(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return " or ".join(arguments)
    if origin is list:
        return f"list of {_kind(arguments[0])}s"
    if origin is dict:
        return f"table of {_kind(arguments[1])}s"
    if origin is typing.Annotated:
        return _kind(arguments[0])
    return _WORDS[annotation]


def _range(field: FieldInfo) -> str:
    bounds = [
        text.format(_bound(getattr(item, name)))
        for item in field.metadata
        for name, text in _BOUNDS
        if hasattr(item, name)
    ]
    if any(getattr(item, "min_length", 0) for item in field.metadata):
        bounds.append("not empty")
    return ", ".join(bounds)


def _bound(value: float) -> str:
    return "2^63" if value == 2**63 else f"{value:g}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(of)}" for name, of in value.items()) + " }" if value else "{}"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)
