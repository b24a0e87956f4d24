"""Graphics processors of NVIDIA, by its own bindings and compiler: the extra ``gpu``."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

from numpy.typing import NDArray

from grl.errors import GrlError, NotCompiled

BLOCK = 128
"""Threads of a block."""
OPTIONS = ("-default-device", "-device-int128", "-std=c++17", "-w")
SAID = 400
"""Characters that are passed on of what the compiler says."""


class Memory:
    """Bytes on a device, all 0 at first, freed with this object; `address` is the first one's."""

    def __init__(self, device: Device, size: int) -> None:
        self.address = int(device.call("cuMemAlloc", max(size, 1)))
        device.call("cuMemsetD8", self.address, 0, max(size, 1))
        weakref.finalize(self, device.call, "cuMemFree", self.address)


class Device:
    """The first device with a text of kernels at work.

    Raises `NotCompiled` where there is no device or package, and where the text doesn't compile.
    """

    def __init__(self, text: str) -> None:
        self._driver, _ = _bindings()
        self._context: Any = None
        try:
            self.call("cuInit", 0)
            device = self.call("cuDeviceGet", 0)
        except (GrlError, RuntimeError) as error:  # the bindings look for the driver only now
            raise NotCompiled("there is no NVIDIA device at work", found=_line(error)) from None
        self._context = self.call("cuDevicePrimaryCtxRetain", device)
        name: bytes = self.call("cuDeviceGetName", 100, device)
        self.name = name.partition(b"\0")[0].decode(errors="replace")
        capability = "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY"
        numbers = (
            getattr(self._driver.CUdevice_attribute, f"{capability}_{part}")
            for part in ("MAJOR", "MINOR")
        )
        major, minor = (self.call("cuDeviceGetAttribute", number, device) for number in numbers)
        self._module = self.call("cuModuleLoadData", machine_code(text, f"sm_{major}{minor}"))
        self._kernels: dict[str, Any] = {}

    def call(self, name: str, *arguments: Any) -> Any:
        """A function of the driver; raises `GrlError` where it fails."""
        if self._context is not None:  # each thread has a context of its own
            _result(self._driver.cuCtxSetCurrent(self._context), "cuCtxSetCurrent")
        return _result(getattr(self._driver, name)(*arguments), name)

    def zeros(self, size: int) -> Memory:
        """So many bytes on the device, all 0."""
        return Memory(self, size)

    def put(self, array: NDArray[Any], address: int) -> None:
        """Copy an array to the device."""
        if array.nbytes:
            self.call("cuMemcpyHtoD", address, array.ctypes.data, array.nbytes)

    def get(self, array: NDArray[Any], address: int) -> None:
        """Fill an array from the device."""
        if array.nbytes:
            self.call("cuMemcpyDtoH", array.ctypes.data, address, array.nbytes)

    def launch(self, kernel: str, threads: int, *arguments: int) -> None:
        """Run a kernel; addresses and numbers take 64 bits each."""
        if not threads:
            return
        if kernel not in self._kernels:
            found = self.call("cuModuleGetFunction", self._module, kernel.encode())
            self._kernels[kernel] = found
        blocks, given = -(-threads // BLOCK), [argument & (2**64 - 1) for argument in arguments]
        sorts = (ctypes.c_uint64,) * len(given)
        self.call(
            "cuLaunchKernel", self._kernels[kernel], blocks, 1, 1, BLOCK, 1, 1, 0, 0,
            (tuple(given), sorts), 0,
        )  # fmt: skip


def machine_code(text: str, architecture: str) -> bytes:
    """What a device such as ``sm_90`` runs; raises `NotCompiled`."""
    _, nvrtc = _bindings()
    try:
        made = _result(nvrtc.nvrtcCreateProgram(text.encode(), b"model.cu", 0, [], []), "nvrtc")
    except RuntimeError as error:
        raise NotCompiled("there is no NVRTC, NVIDIA's compiler", found=_line(error)) from None
    options = [f"-arch={architecture}", *OPTIONS]
    (status,) = nvrtc.nvrtcCompileProgram(made, len(options), [o.encode() for o in options])
    if status:
        said = bytes(_result(nvrtc.nvrtcGetProgramLogSize(made), "nvrtc"))
        nvrtc.nvrtcGetProgramLog(made, said)
        raise NotCompiled("NVRTC failed", found=_line(said.decode(errors="replace")))
    code = bytes(_result(nvrtc.nvrtcGetCUBINSize(made), "nvrtc"))
    _result(nvrtc.nvrtcGetCUBIN(made, code), "nvrtc")
    nvrtc.nvrtcDestroyProgram(made)
    return code


def _bindings() -> tuple[Any, Any]:
    """The bindings of the driver and of the compiler; raises `NotCompiled`."""
    try:
        from cuda.bindings import driver, nvrtc
    except ImportError as error:
        raise NotCompiled(
            "there is no package for NVIDIA's processors",
            found=_line(error),
            expected="pip install 'grl[gpu]'",
        ) from None
    return driver, nvrtc


def _result(returned: tuple[Any, ...], name: str) -> Any:
    """What a call gives beside its status."""
    status, *found = returned
    if status:
        raise GrlError(f"{name} failed", found=str(getattr(status, "name", status)))
    return found[0] if found else None


def _line(said: object) -> str:
    """A part of what others say, in a line fit to print."""
    line = " ".join(str(said).replace("\0", "").split())[:SAID]
    return "".join(c if c.isprintable() else "?" for c in line)
