"""Compiled models found again without their C text: by what that is made of, and only if intact."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from differential import compare, reference_of
from race import Race, race_model
from random_models import random_model, walks

from grl.compiler import compilers
from grl.engine import kept
from grl.engine.engine import Engine
from grl.engine.kept import GENERATOR, SOURCES, native_of
from grl.engine.source import Facts, program
from grl.model import Model
from grl.modelfile import from_data, to_data
from grl.rulebook import Rulebook

compiled = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def as_from_a_file(model: Model) -> Model:
    """The model with all of it in the order of model files."""
    return from_data(to_data(model))


MODEL, OTHER = as_from_a_file(race_model()), as_from_a_file(race_model(Race(width=4)))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of libraries of one test; the generator is one that nobody edits."""
    monkeypatch.delenv("GRL_COMPILER", raising=False)
    monkeypatch.setenv("GRL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept, "_generator", lambda: "1")
    return tmp_path / "cache" / "grl-engines"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the libraries of the two models, and their notes."""
    folder = tmp_path_factory.mktemp("kept") / "grl-engines"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GRL_CACHE", str(folder.parent))
        patched.delenv("GRL_COMPILER", raising=False)
        patched.setattr(kept, "_generator", lambda: "1")
        if shutil.which("cc") is not None:
            native_of(MODEL)
            native_of(OTHER)
    return folder


@pytest.fixture
def filled(folder: Path, cache: Path) -> Path:
    """The folder of libraries of one test, with those of the two models."""
    shutil.copytree(folder, cache)
    return cache


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Model]:
    """The models whose texts are written."""
    models: list[Model] = []

    def spy(model: Model, *, locm: bool = True) -> object:
        models.append(model)
        return program(model, locm=locm)

    monkeypatch.setattr(kept, "program", spy)
    return models


def plays(model: Model) -> bool:
    """Whether the compiled model counts as the reference does."""
    native, reference = native_of(model), reference_of(model)
    engine = Engine(reference, native)
    return engine.perft(engine.initial, 4) == reference.perft(reference.initial, 4)


@compiled
def test_a_text_is_written_once(written: list[Model]) -> None:
    assert plays(MODEL)
    assert plays(as_from_a_file(MODEL))
    assert plays(OTHER)
    assert plays(replace(MODEL, game="of another name", report={"seconds": 3}))
    assert written == [MODEL, OTHER]


@compiled
@pytest.mark.parametrize("seed", [2, 12])
def test_a_model_that_is_found_again_plays_as_the_reference_does(
    seed: int, written: list[Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    if any(each.kind == "tcc" for each in compilers()):
        monkeypatch.setenv("GRL_COMPILER", "tcc")
    model = random_model(seed)
    made = native_of(model)
    reference, found = reference_of(model), native_of(model)
    assert (found.kept, found.facts, len(written)) == (True, made.facts, 1)
    positions = [position for position, _ in zip(walks(reference, seed), range(15), strict=False)]
    assert list(compare(reference, Engine(reference, found), positions)) == []


@pytest.mark.parametrize("seed", range(12))
def test_facts_are_data(seed: int) -> None:
    facts = program(random_model(seed)).facts
    assert msgspec.json.decode(msgspec.json.encode(facts), type=Facts) == facts


@compiled
@pytest.mark.usefixtures("filled")
def test_another_generator_writes_anew(
    written: list[Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert plays(MODEL)
    assert written == []
    for generator in ("2", None):
        monkeypatch.setattr(kept, "_generator", lambda generator=generator: generator)
        assert plays(MODEL)
        assert written.pop() == MODEL


def test_models_that_differ_are_not_taken_for_one_another() -> None:
    keys = {}
    for seed in range(8):
        model = as_from_a_file(random_model(seed))
        for each in (model, replace(model, effects=()), replace(model, rules=None)):
            for locm in (True, False):
                key = kept._key(each, locm)
                assert key == kept._key(as_from_a_file(each), locm)
                keys.setdefault(key, []).append((each, locm))
    for alike in keys.values():
        if len(alike) > 1:
            assert len({program(each, locm=locm).text for each, locm in alike}) == 1
    assert len(keys) > 25


# Notes that are not what was noted ---------------------------------------------------------------


def emptied(note: Path, _: Path) -> None:
    note.write_bytes(b"")


def cut_off(note: Path, _: Path) -> None:
    note.write_bytes(note.read_bytes()[:-1])


def a_bit_flipped(note: Path, _: Path) -> None:
    whole = bytearray(note.read_bytes())
    whole[-3] ^= 1
    note.write_bytes(whole)


def that_of_another_model(note: Path, other: Path) -> None:
    note.write_bytes(other.read_bytes())


def with_the_library_of_another_model(note: Path, other: Path) -> None:
    lines, others = note.read_bytes().split(b"\n"), other.read_bytes().split(b"\n")
    note.write_bytes(b"\n".join([lines[0], others[1], *lines[2:]]))


def that_others_may_write(note: Path, _: Path) -> None:
    note.chmod(0o666)


def a_link(note: Path, _: Path) -> None:
    note.rename(note.parent.parent / "moved")
    note.symlink_to(note.parent.parent / "moved")


def without_its_library(note: Path, _: Path) -> None:
    (note.parent / note.read_bytes().split(b"\n")[1].decode()).unlink()


def with_a_library_cut_off(note: Path, _: Path) -> None:
    library = note.parent / note.read_bytes().split(b"\n")[1].decode()
    whole = library.read_bytes()
    library.unlink()  # the one that is at work stays whole
    library.write_bytes(whole[:5000])
    library.chmod(0o700)


@compiled
@pytest.mark.parametrize(
    "spoil",
    [
        *(emptied, cut_off, a_bit_flipped, that_of_another_model),
        *(with_the_library_of_another_model, that_others_may_write, a_link),
        *(without_its_library, with_a_library_cut_off),
    ],
)
def test_a_note_that_is_not_what_was_noted_is_not_believed(
    spoil: Callable[[Path, Path], None], filled: Path, written: list[Model]
) -> None:
    library = Path(native_of(MODEL).library._name)
    notes = set(filled.glob("*.note"))
    (note,) = (each for each in notes if library.name.encode() in each.read_bytes())
    spoil(note, *(notes - {note}))
    assert plays(MODEL)
    assert written == [MODEL]
    assert plays(MODEL)
    assert written == [MODEL]
    assert not note.is_symlink()


@compiled
def test_where_nothing_is_kept_nothing_is_noted(cache: Path, written: list[Model]) -> None:
    cache.parent.mkdir()
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)
    assert plays(MODEL)
    assert plays(MODEL)
    assert written == [MODEL, MODEL]
    assert list(cache.iterdir()) == []


# What the generator is ---------------------------------------------------------------------------


def test_all_that_a_text_is_made_by_is_looked_at() -> None:
    code = "import sys, grl.engine.source as s; print(*(m.__file__ for n, m in sys.modules.items()"
    code += " if n.partition('.')[0] == 'grl'), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    root = Path(kept.__file__).parent.parent
    looked_at = {path for folder in GENERATOR for path, *_ in kept._files(root / folder)}
    assert looked_at >= set(done.stdout.split())
    others = ("moves", "players")  # what they compile is put beside the text of a model
    assert looked_at >= {str(p) for p in root.glob("**/*.h") if p.parent.name not in others}
    assert all(path.endswith(SOURCES) for path in looked_at)


def test_a_file_that_was_edited_makes_another_generator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    for folder in GENERATOR:
        (tmp_path / "grl" / folder).mkdir(parents=True, exist_ok=True)
    file = tmp_path / "grl" / "rules" / "code" / "some.h"
    file.write_text("int x = 1;")
    monkeypatch.setattr(kept, "__file__", str(tmp_path / "grl" / "engine" / "kept.py"))

    def generator(imported: int) -> str | None:
        monkeypatch.setattr(kept, "_imported", imported)
        kept._generator.cache_clear()
        return kept._generator()

    try:
        changed = file.stat().st_ctime_ns
        long_ago = changed + 10 * kept.SLACK
        first = generator(long_ago)
        assert first is not None
        assert generator(long_ago) == first
        # This process may have read the file before or after it was changed.
        assert generator(changed) is None
        assert generator(changed - 10 * kept.SLACK) is None
        times = file.stat().st_mtime_ns, file.stat().st_mtime_ns
        file.write_text("int x = 2;")
        os.utime(file, ns=times)  # of the same size, and as if nothing had been written
        assert generator(file.stat().st_ctime_ns + 10 * kept.SLACK) not in (None, first)
        shutil.rmtree(tmp_path / "grl" / "rules")
        assert generator(long_ago) is None
    finally:
        kept._generator.cache_clear()


@compiled
@pytest.mark.usefixtures("filled")
def test_a_rulebook_finds_its_library_again(written: list[Model]) -> None:
    assert Rulebook(MODEL).engine().kind == "cc"
    assert written == []
