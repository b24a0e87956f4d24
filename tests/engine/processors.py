"""A graphics processor that there is not: its kernels compiled as C, a call for each thread."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grl.compiler import load

# What gpu.h takes from CUDA.
STAND_INS = """
#define KERNEL __attribute__((visibility("default"))) void
#define THREAD thread_now
#define ADD(to, more) (*(to) += (more))
#define LOWER(to, other) (*(to) = *(to) < (other) ? *(to) : (other))
static unsigned long long thread_now;
KERNEL set_thread(unsigned long long number) { thread_now = number; }
"""
SPARE = 3
"""Threads that find nothing to do: a device runs whole blocks."""


class Bytes:
    """Memory, with the address of its first byte."""

    def __init__(self, size: int) -> None:
        self._bytes = np.zeros(size + 16, dtype=np.uint8)
        self.address = -(-int(self._bytes.ctypes.data) // 16) * 16


class Emulated:
    """Stands in for `grl.engine.device.Device`."""

    def __init__(self, text: str) -> None:
        self._library = load(STAND_INS + text).library

    def zeros(self, size: int) -> Bytes:
        return Bytes(size)

    def put(self, array: NDArray[Any], address: int) -> None:
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def get(self, array: NDArray[Any], address: int) -> None:
        ctypes.memmove(array.ctypes.data, address, array.nbytes)

    def launch(self, kernel: str, threads: int, *arguments: int) -> None:
        function, given = getattr(self._library, kernel), [*map(ctypes.c_uint64, arguments)]
        for thread in range(threads + SPARE):
            self._library.set_thread(ctypes.c_uint64(thread))
            function(*given)
