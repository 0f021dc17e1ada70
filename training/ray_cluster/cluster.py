"""A local Ray cluster, begun and ended by the command, or an existing one by its address."""

from __future__ import annotations

import logging
import math
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ..config import ConfigError

try:
    import ray
except ModuleNotFoundError:
    raise ConfigError("--ray needs the package ray: pip install -c constraints.txt -e '.[ray]'") from None

if TYPE_CHECKING:
    from ..alphazero_config import RaySettings

LOCAL: Final = "local"
_PATIENCE: Final = 10.0  # seconds to wait for a head


@contextmanager
def cluster(address: str, settings: RaySettings) -> Iterator[None]:
    """Connect to a cluster while entered.

    Args:
        address: ``local`` for one of this machine alone, with room for all actors; else ``HOST:PORT`` or ``auto``.
        settings: how many actors of what size there will be.

    Raises:
        ConfigError: there is no cluster at that address, or it has no room for the actors.
    """
    # an actor without GPUs is not to have them hidden: Ray warns that it will stop doing so
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": True}
    try:
        if address == LOCAL:
            cores = math.ceil(settings.actors * settings.cpus)
            ray.init(num_cpus=max(cores, os.cpu_count() or 1), include_dashboard=False, **common)
        else:
            _reach(address)
            ray.init(address=address, **common)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ConfigError(f"--ray {address}: cannot be used: {reason}") from None
    try:
        check_room(ray.cluster_resources(), settings)
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """See that somebody listens there: Ray itself tries for minutes."""
    host, separator, port = address.rpartition(":")
    if separator:
        if not port.isdecimal() or "/" in host:
            raise ValueError("expected HOST:PORT of the cluster's head, or auto on one of its machines")
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


def check_room(room: Mapping[str, float], settings: RaySettings) -> None:
    """Refuse actors that a cluster of these resources has no place for: they would be waited for without end."""
    for name, each in (("CPU", settings.cpus), ("GPU", settings.gpus)):
        if settings.actors * each > room.get(name, 0.0):
            raise ConfigError(
                f"ray.actors: {settings.actors} actors of {each:g} {name} need {settings.actors * each:g}, the "
                f"cluster has {room.get(name, 0.0):g}"
            )
