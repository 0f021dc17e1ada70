"""Counts the instructions that this thread executes in user mode, through the Linux system call ``perf_event_open``.

Instructions hardly depend on what else the machine does, so a guard that can count them need not time.  Many virtual
machines have no such counter: then there is none.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Callable

_SYSCALLS = {"x86_64": 298, "aarch64": 241}
HARDWARE, INSTRUCTIONS = 0, 1
SOFTWARE, TASK_CLOCK = 1, 1
_SIZE = 64  # of perf_event_attr in its first version, which every kernel takes
_USER_ONLY = 1 << 5 | 1 << 6  # exclude_kernel, exclude_hv


def open_counter(kind: int = HARDWARE, event: int = INSTRUCTIONS) -> Callable[[], int] | None:
    """A function that reads the counter, or None where this machine does not count."""
    if not sys.platform.startswith("linux") or platform.machine() not in _SYSCALLS:
        return None
    # type, size, config, sample_period, sample_type, read_format, flags; the rest is zero
    attributes = struct.pack("=IIQQQQQ", kind, _SIZE, event, 0, 0, 0, _USER_ONLY).ljust(_SIZE, b"\0")
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    number = ctypes.c_long(_SYSCALLS[platform.machine()])
    this_thread, any_core, no_group, flags = ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(-1), ctypes.c_ulong(0)
    handle = call(number, ctypes.create_string_buffer(attributes, _SIZE), this_thread, any_core, no_group, flags)
    if handle < 0:
        return None
    return lambda: int(struct.unpack("=Q", os.read(handle, 8))[0])
