"""Compilers that are missing, fail or lie, and a cache that is spoiled, shared or full.

What comes of it is a library that does what its source says, or a model that plays in Python and
says why.
"""

from __future__ import annotations

import errno
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from differential import compare, reference_of
from race import Race, race_model
from random_models import random_model

from grl import compiler
from grl.board import Player
from grl.compiler import CompilerFailed, Loaded, load
from grl.engine.source import MOST_EDGES, program
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.modelfile import from_data, to_data
from grl.rulebook import Rulebook
from grl.turn import Letter

SOURCE = '__attribute__((visibility("default"))) int answer(void) { return 42; }\n'
OTHER = SOURCE.replace("42", "13")
ANSWER = (
    f"from grl.compiler import load; made = load({SOURCE!r}); "
    "print(made.kind, made.library.answer())"
)
compiled = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture(autouse=True)
def as_processes_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of this process are those of the processes that tests start."""
    slow = tuple("-O2" if flag == "-O1" else flag for flag in compiler.FLAGS)
    monkeypatch.setattr(compiler, "FLAGS", slow)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of libraries of one test, which nobody has made yet."""
    monkeypatch.delenv("GRL_COMPILER", raising=False)
    monkeypatch.setenv("GRL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "grl-engines"


def answer(source: str = SOURCE) -> tuple[int, bool]:
    """What a library answers, and whether it was kept from before."""
    made: Loaded = load(source)
    return made.library.answer(), made.kept


def kept_files(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.is_dir() else []


# Compilers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [("none", "GRL_COMPILER is 'none'"), ("no-such", "GRL_COMPILER names no program: 'no-such'")],
)
def test_without_a_compiler_the_reference_plays_and_says_why(
    wanted: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRL_COMPILER", wanted)
    engine = Rulebook(race_model()).engine()
    assert (engine.kind, engine.reason) == ("python", reason)
    state = engine.initial
    assert state.turns() == [str(turn) for turn in Rulebook(race_model()).legal(Race().initial)]
    assert engine.perft(state, 3) == Rulebook(race_model(), compiled=False).perft(Race().initial, 3)
    assert engine.playouts(5)["games"] == 5
    broken_off = engine.playouts(5, most=2)
    assert (broken_off["plies"], set(broken_off["goals"].ravel())) == (10, {-1})


def test_no_program_of_the_path_is_a_compiler_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(CompilerFailed, match=r"^there is no C compiler$"):
        load(SOURCE)


@compiled
def test_a_library_is_made_once(cache: Path) -> None:
    assert answer() == (42, False)
    assert answer() == (42, True)
    assert len(kept_files(cache)) == 1
    assert answer(OTHER) == (13, False)


def fake(folder: Path, script: str) -> str:
    """A compiler of one's own: a script with the source's name and the library's in IN and OUT."""
    path = folder / "fake-cc"
    head = '#!/bin/sh\nfor last; do OUT="$last"; done\n'
    path.write_text(head + script + "\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'no room, sorry' >&2; exit 3", r"failed: no room, sorry"),
        ("exit 3", r"failed: exit status 3"),
        ("kill -9 $$", r"failed: exit status -9"),
        ("printf '\\377\\033[2J\\001' >&2; exit 1", r"failed: \S{1,9}$"),
        ("yes | head -c 3000000; exit 1", r"failed: exit status 1"),
        ("true", r"made no library$"),
        ('mkdir "$OUT"', r"made no library$"),
        (': > "$OUT"', r"made no library that can be loaded"),
        ('head -c 5000 /dev/urandom > "$OUT"', r"made no library that can be loaded"),
    ],
)
def test_a_compiler_that_fails_or_makes_no_library_is_not_believed(
    script: str, reason: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRL_COMPILER", fake(tmp_path, script))
    with pytest.raises(CompilerFailed, match=reason) as failed:
        load(SOURCE)
    assert str(failed.value).isprintable()
    assert kept_files(cache) == []
    assert "fake-cc" in Rulebook(race_model()).engine().reason


def test_a_compiler_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"sleep 60 & echo $! > {tmp_path / 'child'}; wait"
    monkeypatch.setenv("GRL_COMPILER", fake(tmp_path, script))
    monkeypatch.setattr(compiler, "LONGEST", 0.5)
    with pytest.raises(CompilerFailed, match=r"took more than 0\.5 seconds"):
        load(SOURCE)
    child = int((tmp_path / "child").read_text())
    assert ended(child)


def ended(process: int) -> bool:
    """Whether a process, which somebody else waits for, comes to its end."""
    for _ in range(200):
        try:
            os.kill(process, 0)
            state = Path(f"/proc/{process}/stat")
            if state.exists() and state.read_text().rpartition(") ")[2][0] == "Z":
                return True
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@compiled
def test_a_compiler_reads_nothing_of_what_is_meant_for_grl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cc = shutil.which("cc")
    monkeypatch.setenv("GRL_COMPILER", fake(tmp_path, f'cat > {tmp_path}/read; exec {cc} "$@"'))
    code = f"{ANSWER}; print(input())"
    done = subprocess.run(
        [sys.executable, "-c", code], input="for grl\n", capture_output=True, text=True, check=True
    )
    assert done.stdout == "cc 42\nfor grl\n"
    assert (tmp_path / "read").read_text() == ""


def test_the_small_compiler_makes_engines_that_play_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRL_COMPILER", "tcc")
    if not compiler.compilers():
        pytest.skip("there is no tcc")
    # Sets of one word, of two, and of three.
    for width in (3, 20, 40):
        rulebook = Rulebook(race_model(Race(width=width)))
        engine, reference = rulebook.engine(), reference_of(rulebook.model)
        assert engine.kind == "tcc"
        chance, position, met = random.Random(width), reference.initial, []
        while turns := reference.legal(position):
            met.append(position)
            position = reference.after(position, chance.choice(turns))
        assert list(compare(reference, engine, [*met, position])) == []
        assert engine.perft(engine.initial, 3) == reference.perft(reference.initial, 3)


# The cache ---------------------------------------------------------------------------------------


def a_link(cache: Path) -> None:
    (cache.parent / "elsewhere").mkdir(mode=0o700)
    cache.symlink_to(cache.parent / "elsewhere")


def a_shared_folder(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o770)


def a_folder_below_a_shared_one(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    cache.parent.chmod(0o777)


@compiled
@pytest.mark.parametrize(
    ("prepared", "reason"),
    [
        (a_link, "it is a link or a file"),
        (Path.touch, "File exists"),
        (a_shared_folder, "others may write to it"),
        (a_folder_below_a_shared_one, "everybody may write to the folder above it"),
    ],
)
def test_a_folder_that_others_have_a_hand_in_is_not_used(
    prepared: Callable[[Path], None], reason: str, cache: Path
) -> None:
    cache.parent.mkdir()
    prepared(cache)
    assert compiler.unusable() == reason
    assert [answer(), answer()] == [(42, False)] * 2
    assert not cache.is_dir() or kept_files(cache) == []


@compiled
def test_a_folder_of_somebody_else_is_not_used(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer() == (42, False)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert compiler.unusable() == "it belongs to somebody else"
    assert answer() == (42, False)
    assert len(kept_files(cache)) == 1


@compiled
@pytest.mark.parametrize("broken", ["GRL_CACHE", "HOME"])
def test_a_folder_that_nobody_can_make_is_not_used(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRL_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv(broken, str(tmp_path / "file"))
    assert compiler.unusable() == "Not a directory"
    assert answer() == (42, False)


@compiled
@pytest.mark.parametrize("name", ["replace", "chmod"])
def test_where_nothing_can_be_kept_the_library_is_used_all_the_same(
    name: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, name, full)
        assert answer() == (42, False)
    assert kept_files(cache) == []
    assert [answer(), answer()] == [(42, False), (42, True)]


def test_a_disk_that_takes_nothing_leaves_the_reference(tmp_path: Path) -> None:
    model = tmp_path / "race.grl.json"
    Rulebook(race_model()).save(model)
    code = (
        f"import grl; engine = grl.load({str(model)!r}).engine(); "
        "print(engine.kind, engine.perft(engine.initial, 2), engine.reason)"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
    )
    assert done.stdout.startswith("python 9 ")
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_without_a_folder_for_temporary_files_the_reference_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(**_: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(compiler.tempfile, "TemporaryDirectory", none)
    engine = Rulebook(race_model()).engine()
    assert engine.kind == "python"
    if shutil.which("cc") is not None:
        assert "No usable temporary directory" in engine.reason


def emptied(library: Path) -> None:
    library.write_bytes(b"")


def cut_off(library: Path) -> None:
    whole = library.read_bytes()
    library.write_bytes(whole[: len(whole) // 2])


def a_bit_flipped(library: Path) -> None:
    whole = bytearray(library.read_bytes())
    whole[len(whole) // 3] ^= 1
    library.write_bytes(whole)


def garbage(library: Path) -> None:
    library.write_bytes(b"\x7fELF" + bytes(4_000))


def another_library(library: Path) -> None:
    assert answer(OTHER) == (13, False)
    (other,) = set(library.parent.iterdir()) - {library}
    other.replace(library)


@compiled
@pytest.mark.parametrize("spoil", [emptied, cut_off, a_bit_flipped, garbage, another_library])
def test_a_library_that_is_not_what_was_kept_is_made_anew(
    spoil: Callable[[Path], None], cache: Path
) -> None:
    assert in_a_process() == "cc 42\n"
    (library,) = kept_files(cache)
    whole = library.read_bytes()
    spoil(library)
    assert library.read_bytes() != whole
    assert in_a_process() == "cc 42\n"
    assert answer() == (42, True)
    assert kept_files(cache) == [library]


def in_a_process() -> str:
    """What a library answers, asked in a process that may crash."""
    done = subprocess.run(
        [sys.executable, "-c", ANSWER], capture_output=True, text=True, check=True
    )
    return done.stdout


@compiled
def test_a_library_that_others_may_write_or_that_is_a_link_is_not_loaded(cache: Path) -> None:
    answer()
    (library,) = kept_files(cache)
    library.chmod(0o777)
    assert answer() == (42, False)
    library.rename(cache.parent / "moved")
    library.symlink_to(cache.parent / "moved")
    assert answer() == (42, False)
    assert not library.is_symlink()


@compiled
def test_processes_that_compile_at_once_do_not_disturb_one_another(cache: Path) -> None:
    command = [sys.executable, "-c", ANSWER]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate()[0] for process in running] == ["cc 42\n"] * 3
    assert {path.suffix for path in kept_files(cache)} == {".so"}
    assert answer() == (42, True)


# Models from anywhere ----------------------------------------------------------------------------

HOSTILE = '"\n*/ ??/ \\\n#include "/etc/passwd"\n%s } int x = {{{ /* // \\" \' \t\x7f\u2028'


def renamed(model: Model) -> Model:
    """A model with other names of its game, its players and its types of pieces."""
    players = {str(player) for player in model.equipment.players}
    types = {piece.type for piece in model.equipment.pieces.values()}

    def other(name: str) -> str:
        if name in players | types:
            return name + HOSTILE
        head, colon, tail = name.partition(":")
        return f"{head}:{tail}{HOSTILE}" if colon and tail in types else name

    def action(name: str) -> str:
        """The names of actions and of sorts have the plain parts of names of types in them."""
        return "_".join(
            re.sub(r"\W+", "_", part + HOSTILE, flags=re.ASCII).strip("_")
            if part in types
            else part
            for part in name.split("_")
        )

    def walk(data: object, other: Callable[[str], str] = other) -> object:
        if isinstance(data, dict):
            return {
                other(key): walk(value, action if key in ("transitions", "ties", "sort") else other)
                for key, value in data.items()
            }
        if isinstance(data, list | tuple):
            return [walk(item, other) for item in data]
        return other(data) if isinstance(data, str) else data

    return replace(from_data(walk(to_data(replace(model, game="game")))), game=HOSTILE)


@pytest.mark.parametrize("seed", [1, 3, 5, 8, 9, 10])
def test_no_name_of_a_model_gets_into_its_source(seed: int) -> None:
    model = random_model(seed)
    hostile = renamed(model)
    assert all(HOSTILE in player for player in hostile.equipment.players)
    assert all(HOSTILE in piece.type for piece in hostile.equipment.pieces.values())
    assert program(hostile).text == program(model).text


def test_no_key_of_a_piece_gets_into_the_source() -> None:
    plain = program(race_model()).text
    for keys in ("Rr", '"\\', "*/", "%?", "\\{", "{\u00e9"):
        players = ("a" + HOSTILE, "b" + HOSTILE)
        game = Race(players, "".join(sorted(keys)[::-1]), types=(HOSTILE, HOSTILE))
        assert program(race_model(game)).text == plain
    assert plain.isascii()


def test_a_model_beyond_the_bounds_plays_in_python() -> None:
    model = race_model()
    (first, *others) = model.automata
    side = 90
    letters = [Letter(dx, dy, "e") for dx in range(side) for dy in range(side) if dx or dy]
    transitions = tuple((StateId(0), letter, StateId(1)) for letter in sorted(letters))
    assert len(transitions) > MOST_EDGES
    key = AutomatonKey(Player("white"), first.key.holds, Role.FIRST)
    huge = Dfa(key, 2, transitions, frozenset({StateId(1)}))
    rulebook = Rulebook(replace(model, automata=(huge, *others)))
    engine = rulebook.engine()
    assert engine.kind == "python"
    assert re.fullmatch(r"the automata are too large to compile; .*[\d,]+ edges", engine.reason)
    assert engine.initial.turns() == [str(turn) for turn in rulebook.legal(rulebook.initial)]
