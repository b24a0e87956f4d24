"""A look at the machine: what is there, what it is needed for, and what to do where it isn't.

What grl needs and can use stands in its own package metadata, as do the versions of what is there.
Whether a package can really be imported is tried in a process of its own, so that nothing heavy
is loaded here and a package that crashes takes nothing with it.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from grl import compiler, games

MIN_PYTHON = (3, 11)

CORE: Mapping[str, str] = {
    "click": "the command line",
    "clingo": "learning rules and proving automata minimal",
    "graphviz": "drawing",
    "msgspec": "model files",
    "networkx": "graphs",
    "numpy": "fast tables and pictures",
    "rich": "tables and progress bars",
    "zstandard": "trace files that end in .zst",
}
"""What each core dependency is for."""

EXTRAS: Mapping[str, str] = {
    "render": "pictures without a dot program",
    "import": "records of other programs",
    "pgn": "records of games in Portable Game Notation",
    "sgf": "records of Go in the Smart Game Format",
    "shogi": "records of shogi",
    "uci": "moves in coordinates of variants of chess",
    "openspiel": "games of OpenSpiel, and models as such",
    "pettingzoo": "models as environments of PettingZoo and Gymnasium",
    "parquet": "columnar records",
    "dask": "records read by a cluster",
    "web": "the page of grl serve",
    "fast": "models compiled where there is no other C compiler",
    "gpu": "many games at once on NVIDIA's graphics processors",
    "docs": "the site that make docs builds",
    "dev": "working on grl itself",
}
"""What each extra is for; one that is not named here is looked at all the same."""

FEW = 3
"""An extra of more packages is one finding, not one for each."""

_SECONDS = 60
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)([^;]*)(?:;(.*))?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
_LEAST = re.compile(r">=\s*([0-9.]+)")
_TRY = """
import importlib, json, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
        reason = None
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
    print(json.dumps([name, reason]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `advice` says what to do when it isn't `ok`.

    Without what is `required` grl can't work.
    """

    name: str
    ok: bool
    version: str | None
    needed_for: str
    advice: str | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that grl asks for: the least version, and the extra that it belongs to."""

    name: str
    least: str | None = None
    extra: str | None = None


def check_up() -> list[Finding]:
    """Everything that grl needs or can use on this machine, always in the same order."""
    wanted = requirements()
    core = [requirement for requirement in wanted if requirement.extra is None]
    extras: dict[str, list[Requirement]] = {}
    for requirement in wanted:
        if requirement.extra is not None:
            extras.setdefault(requirement.extra, []).append(requirement)
    few = [r for packages in extras.values() if len(packages) <= FEW for r in packages]
    modules = _modules()
    broken = _broken([modules.get(_plain(r.name), r.name) for r in [*core, *few]])
    return [
        _python(),
        *(_package(r, modules, broken) for r in core),
        _dot(),
        _compiler(),
        _compiled_models(),
        _graphics_processor(),
        *(
            finding
            for extra, packages in extras.items()
            for finding in (
                [_package(r, modules, broken) for r in packages]
                if len(packages) <= FEW
                else [_whole_extra(extra, packages, modules)]
            )
        ),
        _games(),
        _temporary_files(),
        _cores(),
    ]


def requirements() -> list[Requirement]:
    """What grl's package metadata asks for; only `CORE` where grl runs without being installed."""
    try:
        lines = metadata.requires("grl") or []
    except metadata.PackageNotFoundError:
        return [Requirement(name) for name in CORE]
    found = []
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is not None:
            least, extra = _LEAST.findall(match[2]), _EXTRA.findall(match[3] or "")
            found.append(Requirement(match[1], next(iter(least), None), next(iter(extra), None)))
    return found


def _modules() -> dict[str, str]:
    """For every installed distribution the module to import, by `_plain` name."""
    modules: dict[str, list[str]] = {}
    for module, distributions in metadata.packages_distributions().items():
        for distribution in distributions:
            if not module.startswith("_"):
                modules.setdefault(_plain(distribution), []).append(module)
    return {
        name: min(found, key=lambda module: (_plain(module) != name, module))
        for name, found in modules.items()
    }


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _broken(modules: Sequence[str]) -> dict[str, str]:
    """Why modules that can be found can't be imported; none for the others."""
    there = [module for module in modules if _found(module)]
    command = [sys.executable, "-c", _TRY, *there]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
        text, ended = done.stdout, f"importing it ended Python with status {done.returncode}"
    except subprocess.TimeoutExpired as error:
        text, ended = error.stdout or b"", f"importing it took more than {_SECONDS} seconds"
    except OSError:
        return {}
    said = [
        json.loads(line) for line in text.decode(errors="replace").splitlines() if line[:1] == "["
    ]
    reasons = {name: reason for name, reason in said if reason is not None}
    tried = {name for name, _ in said}
    # What comes after the module that ended the process was not tried.
    culprit = next((name for name in there if name not in tried), None)
    return reasons | ({culprit: ended} if culprit is not None else {})


def _found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _python() -> Finding:
    least = ".".join(map(str, MIN_PYTHON))
    ok = sys.version_info[:2] >= MIN_PYTHON
    advice = None if ok else f"install Python {least} or newer"
    return Finding("Python", ok, platform.python_version(), "everything", advice, required=True)


def _package(
    requirement: Requirement, modules: Mapping[str, str], broken: Mapping[str, str]
) -> Finding:
    """Whether a package is there, can be imported and is new enough."""
    name, extra = requirement.name, requirement.extra
    use = CORE.get(name, "grl itself") if extra is None else _use(extra)
    install = f"pip install {name}" if extra is None else f"pip install 'grl[{extra}]'"
    module = modules.get(_plain(name), name)
    required = extra is None
    if not _found(module):
        return Finding(name, False, None, use, install, required)
    version = _version(name)
    if module in broken:
        advice = f"it can't be imported ({broken[module]}); {install} --force-reinstall"
        return Finding(name, False, version, use, advice, required)
    if version and requirement.least and _release(version) < _release(requirement.least):
        advice = f"{requirement.least} or newer is needed: {install} --upgrade"
        return Finding(name, False, version, use, advice, required)
    return Finding(name, True, version, use, None, required)


def _whole_extra(
    extra: str, packages: Sequence[Requirement], modules: Mapping[str, str]
) -> Finding:
    """An extra of many packages; only whether they are there."""
    missing = [r.name for r in packages if not _found(modules.get(_plain(r.name), r.name))]
    there = f"{len(packages) - len(missing)} of {len(packages)} packages"
    advice = f"pip install 'grl[{extra}]' adds {', '.join(missing)}" if missing else None
    return Finding(f"extra {extra}", not missing, there, _use(extra), advice)


def _use(extra: str) -> str:
    return EXTRAS.get(extra, f"the extra {extra}")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _release(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, without zeros at their end."""
    match = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _dot() -> Finding:
    found = shutil.which("dot") is not None
    advice = "install the Graphviz programs; pygraphviz draws without them"
    return Finding("dot", found, None, "pictures", None if found else advice)


def _compiler() -> Finding:
    """The compiler that makes engines, and whether it answers."""
    name, use = "C compiler", "playing fast"
    instead = "the reference implementation in Python plays until then"
    found = compiler.compilers()
    if not found:
        advice = f"{compiler.lacking()}; install one or pip install 'grl[fast]': {instead}"
        return Finding(name, False, None, use, advice)
    kind, path, _ = found[0]
    try:
        said = subprocess.run(
            [path, "-v" if kind == "tcc" else "--version"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=True,
        ).stdout.decode(errors="replace")  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(name, False, kind, use, f"{path} does not run ({error}): {instead}")
    line = said.partition("\n")[0]
    number = re.search(r"\d+\.\d[\w.]*", re.sub(r"\([^()]*\)", "", line))
    return Finding(name, True, f"{kind} {number[0]}" if number else kind, use)


def _compiled_models() -> Finding:
    """Whether what is compiled can be kept in a folder that is the user's alone."""
    name, use = "compiled models", "playing fast at once"
    try:
        folder = str(compiler.cache_folder())
    except RuntimeError:
        folder = None
    reason = compiler.unusable()
    if reason is None:
        return Finding(name, True, folder, use)
    where = f"{folder}: " if folder else ""
    advice = f"{where}{reason}; set GRL_CACHE to a folder of your own: each run compiles until then"
    return Finding(name, False, None, use, advice)


def _graphics_processor() -> Finding:
    """Whether the driver knows of a graphics processor."""
    name, use = "graphics processor", EXTRAS["gpu"]
    path, said = shutil.which("nvidia-smi"), ""
    if path is not None:
        with suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run(
                [path, "-L"],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=True,
            ).stdout.decode(errors="replace")  # fmt: skip
    found = re.search(r"^GPU \d+: (.*?)(?: \(UUID|$)", said, re.MULTILINE)
    if found is None:
        advice = "none that nvidia-smi names: processor cores do the same work"
        return Finding(name, False, None, use, advice)
    return Finding(name, True, found[1], use)


def _games() -> Finding:
    count = len(games.available())
    return Finding(
        "reference games",
        count > 0,
        f"{count} registered" if count else None,
        "comparing with hand-written rules, generating traces",
        None if count else "install grl with pip, which registers its games",
    )


def _temporary_files() -> Finding:
    """Whether a file can really be written where temporary files go."""
    use = "work between steps"
    try:
        with tempfile.TemporaryFile() as stream:
            stream.write(b"grl")
    except OSError as error:
        advice = f"set TMPDIR to a folder that can be written ({error.strerror or error})"
        return Finding("temporary files", False, None, use, advice, required=True)
    return Finding("temporary files", True, tempfile.gettempdir(), use, required=True)


def _cores() -> Finding:
    """How many processor cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    advice = None if count > 1 else "learning works, but not in parallel"
    return Finding("processor cores", True, str(count), "learning in parallel", advice)
