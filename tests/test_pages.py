"""Commands and files that pages name: commands run or at least parse, files are shipped.

Every ``sh`` block of a page runs from top to bottom in a folder of its own, in which the traces and
games of the repository lie and, under the names that the page uses, small stand-ins for what a
reader brings along. The README is run in test_repository.py.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import bench
import click
import pytest
from click.testing import CliRunner
from shorthand import line as in_line

import grl
from grl import games
from grl.ask import scout
from grl.cli import main
from grl.commands.las_traces import from_traces
from grl.generate import generate
from grl.model import Literal, Rule, Rules
from grl.modelfile import read_model, write_model
from grl.traces import header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "traces" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

PROOF = (
    "a proof over all states takes half a minute; test_connect_four_study.py proves smaller ones"
)
TASK = "a task from 50 games takes a minute; tests/las/test_from_traces.py makes smaller ones"
LESSONS = "lessons of Breakthrough take two minutes; the page runs those of tic-tac-toe"
NOT_RUN = {
    "docs/asking.md: grl ask model.grl.json one.jsonl --game": "twenty questions take 15 seconds",
    "docs/chess.md: ": "minutes; test_castling_learned.py learns a smaller game of the kind",
    "docs/connect-four.md: grl compare learned.lp": PROOF,
    "docs/connect-four.md: grl compare c44/connect_four.lp": PROOF,
    "docs/las.md: grl las from-traces": TASK,
    "docs/las.md: grl las terminal.las": TASK,
    "docs/las.md: grl compare LEARNED.lp": "the names stand for files of the reader's",
    "docs/scale.md: grl traces generate model": "a million games take minutes",
    "docs/page.md: grl serve": "it serves until somebody ends it; tests/serve/ asks it",
    "docs/pictures.md: grl render model.grl.json --all -o pages --format pdf": "needs a browser",
    "docs/players-strategies.md: grl learn traces/breakthrough": LESSONS,
    "docs/players-strategies.md: grl arena breakthrough": LESSONS,
    "docs/players-strategies.md: grl learn-strategy lessons": LESSONS,
    "docs/rules.md: grl learn": "all rules of a mill game take 9 seconds; `make demo` learns them",
    "docs/your-game.md: ": "test_your_game.py runs them with the files of the page",
    "docs/games.md: make bench": "measurements take from minutes to hours",
    "docs/moves.md: make bench": "measurements take from minutes to hours",
    "traces/README.md: grl traces generate": "test_shipped_traces.py runs them",
    "README.md: ": "test_repository.py runs them; `make` sets up an environment of its own",
}
"""Beginnings of the commands that only parse, and why."""

SAVED = {"hop.py", "write_hop.py"}
"""Programs that a page has its reader save."""

ANSWER_NO = ("docs/rules.md: grl explain",)
"""Beginnings of the commands that end with status 1 where they do what the page says."""


class Line(NamedTuple):
    """A command of a page, in words."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"


def lines_of(page: Path) -> Iterator[Line]:
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = tuple(shlex.split(line, comments=True))
            if words:
                yield Line(page.relative_to(ROOT).as_posix(), words)


LINES = [line for page in PAGES for line in lines_of(page)]


def is_run(line: Line) -> bool:
    return not any(str(line).startswith(start) for start in NOT_RUN)


def test_every_command_left_out_is_on_its_page() -> None:
    for start in (*NOT_RUN, *ANSWER_NO):
        assert any(str(line).startswith(start) for line in LINES), start


def parse(words: tuple[str, ...]) -> None:
    """Resolve a command of grl and parse its arguments; raises `click.UsageError`."""
    command: click.Command = main
    context: Any = None
    rest = list(words)
    while isinstance(command, click.Group):
        name = rest.pop(0)
        found = command.commands.get(name)
        if found is None:
            raise click.UsageError(f"no command {name}")
        context = click.Context(command, parent=context, info_name=name)
        command = found
    command.make_context(rest[0] if rest else "", rest, parent=context)


@pytest.fixture
def any_file_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.Path, "convert", lambda _, value, __, ___: Path(value))


@pytest.mark.usefixtures("any_file_exists")
@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_command_on_a_page_parses(line: Line) -> None:
    program, *rest = line.words
    if program == "grl":
        parse(tuple(rest))
    elif program == "make":
        target, *options = rest
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        for option in options:
            part = option.removeprefix("PART=").split()
            assert part[0] in {*bench.PARTS, *bench.LONG}
    elif program == "python":
        assert set(rest) <= SAVED
    else:
        assert program == "cd"
        assert (ROOT / rest[0]).is_dir()


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    for words in (("nope",), ("perft", "x", "--deep", "3"), ("traces", "nope"), ("rules",)):
        with pytest.raises(click.UsageError):
            parse(words)


def record(game: str, number: int, path: Path) -> Path:
    reference = games.load(game)
    write_traces(path, header_dict(reference), generate(reference, number, all_moves=True, seed=1))
    return path


def small_model(folder: Path, name: str, game: str, number: int) -> None:
    """A model of the movements only, which takes a moment."""
    records = record(game, number, folder / f"{name}.jsonl")
    grl.learn([records], rules=False).save(folder / f"{name}.grl.json")


def a_mill_model(folder: Path) -> None:
    """One whose only rule is the first of the page: no removal without a mill."""
    path = folder / "mill.grl.json"
    small_model(folder, "mill", "nine-mens-morris", 3)
    model = read_model(path)
    mill = Literal(in_line("end1", "own", 3, "after"), False)
    rule = Rule((Literal(("segments", "=", 2), True), mill))
    frames = dict.fromkeys(model.equipment.players, "identity")
    write_model(replace(model, rules=Rules(frames, (rule,))), path)


def a_model_and_plans(folder: Path) -> None:
    small_model(folder, "model", "amazons:width=4,height=4", 2)
    rulebook = grl.load(folder / "model.grl.json")
    position = json.dumps(rulebook.initial.to_dict())
    (folder / "position.json").write_text(position, encoding="utf-8")
    (folder / "plans").mkdir()
    for number in range(6):
        car, here, there = f"car{number % 3}", f"loc{number % 2}", f"loc{(number + 1) % 2}"
        steps = [f"board {car} {here}", f"sail {here} {there}", f"debark {car} {there}"]
        steps += [f"sail {there} {here}", f"sail {here} {there}", f"board {car} {there}"]
        text = "".join(f"({step})\n" for step in steps)
        (folder / "plans" / f"{number}.plan").write_text(text, encoding="utf-8")


def states_of_a_counter(folder: Path) -> None:
    states = [
        f"background:\n\ttrue_value({v})\n---\n\npositives:\n\tnext_value({v + 1})"
        for v in range(4)
    ]
    atoms = "".join(f"\tnext_value({v})\n" for v in range(5))
    facts = "".join(f"\tsucc({v}, {v + 1})\n" for v in range(4))
    head = [f"atoms:\n{atoms}", f"statics:\n{facts}"]
    (folder / "coins_legal_train.dat").write_text(
        "\n---\n\n".join([*head, *states]) + "\n", encoding="utf-8"
    )


def games_of_people(folder: Path) -> None:
    (folder / "matches.pdn").write_text("1. 11-15 23-19 2. 8-11 22-17 *\n", encoding="utf-8")
    (folder / "ACF.txt").write_text("8-12\t1-0\n", encoding="utf-8")
    (folder / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n", encoding="utf-8")
    (folder / "atomic.pgn").write_text('[Variant "Atomic"]\n\n1. e4 *\n', encoding="utf-8")
    (folder / "moves.txt").write_text("d1b3 c5d4\n", encoding="utf-8")
    (folder / "floodgate.csa").write_text("PI\n+\n+7776FU\n-3334FU\n", encoding="utf-8")
    (folder / "games.sgf").write_text("(;GM[1]SZ[9];B[ee];W[dd])", encoding="utf-8")
    boards = ("b.b/.../W.W", "b.b/W../..W", ".bb/W../..W", ".bb/W.W/...")
    lines = [f"{number},{board}" for number in "12" for board in boards]
    (folder / "boards.csv").write_text("\n".join(["game,board", *lines]), encoding="utf-8")
    discs = bytes([20, 24, 11, 3, 1, 0, 0, 0, 0, 0, 232, 7, 8, 0, 0, 0, *[0] * 8, 56, *[0] * 59])
    (folder / "WTH.wtb").write_bytes(discs)


READERS: dict[str, Callable[[Path], object]] = {
    "docs/engine.md": lambda folder: small_model(folder, "model", "tic-tac-toe", 3),
    "docs/iggp.md": states_of_a_counter,
    "docs/importers.md": games_of_people,
    "docs/locm.md": a_model_and_plans,
    "docs/pictures.md": lambda folder: small_model(folder, "model", "tic-tac-toe", 3),
    "docs/rules.md": a_mill_model,
    "docs/sgrl.md": lambda folder: record("tic-tac-toe", 5, folder / "games.jsonl"),
}
"""What a reader of a page brings along."""


@pytest.mark.parametrize("page", sorted({line.page for line in LINES if is_run(line)}))
def test_the_commands_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "traces").symlink_to(ROOT / "traces")
    shutil.copytree(ROOT / "games", tmp_path / "games")
    READERS.get(page, lambda _: None)(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(scout, "GAMES", 20)  # nobody is there who would answer
    for line in LINES:
        if line.page != page or not is_run(line):
            continue
        program, *words = line.words
        if program == "cd":
            monkeypatch.chdir(words[0])
            continue
        arguments = [name for word in words for name in expanded(word)]
        result = CliRunner().invoke(main, arguments, input="", catch_exceptions=False)
        expected = int(any(str(line).startswith(start) for start in ANSWER_NO))
        assert result.exit_code == expected, (str(line), result.output)
        assert result.output, str(line)


def expanded(word: str) -> list[str]:
    """The files that a pattern stands for, as a shell would have it; else the word itself."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


OWN = re.compile(r"(?:traces|docs|benchmarks|tests|games|grl)/[\w./-]*")
TEXT = {page: page.read_text(encoding="utf-8") for page in [*PAGES, ROOT / "CHANGELOG.md"]}


@pytest.mark.parametrize("page", TEXT, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_is_shipped(page: Path) -> None:
    words = [word for span in re.findall(r"`([^`\n]+)`", TEXT[page]) for word in span.split()]
    words += [word for line in LINES if ROOT / line.page == page for word in line.words]
    for word in words:
        name = word.strip(";,()")
        if OWN.fullmatch(name):
            assert (ROOT / name).exists(), name
        elif re.fullmatch(r"[\w./-]+\.py", name) and name not in SAVED:
            assert list(ROOT.glob(f"[!.]*/**/{name}")) or (ROOT / name).exists(), name


def test_every_command_and_option_that_a_page_names_in_a_sentence_exists() -> None:
    for page, text in TEXT.items():
        for span in re.findall(r"`grl ([^`\n]+)`", text):
            name, *words = span.split()
            if name.startswith("-") or not name[0].islower():
                continue
            command: click.Command = main.commands[name]
            while isinstance(command, click.Group) and words and words[0] in command.commands:
                command = command.commands[words.pop(0)]
            if name == "las" and words[:1] == [from_traces.name]:
                command = from_traces
            known = {option for param in command.params for option in param.opts}
            used = {word.strip("[](),").partition("=")[0] for word in words if word[:1] in "-["}
            used = {word for word in used if re.fullmatch(r"--?[a-z-]+", word)}
            assert used <= known | {"--help"}, (page.name, span)


RESULTS = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)*(?!\w)")
ONLY_THERE = {
    "### How many games it takes",
    "### Games of groups, of enclosing, of sowing and of ranks",
}
"""Sections of the results that are the page itself."""
COUNTED = {"38", "17"}
"""Differences and counts that a reader takes from a page's table."""


def test_results_have_the_figures_of_the_pages_that_explain_them() -> None:
    checked = 0
    for section in re.split(r"\n(?=##+ )", RESULTS):
        names = set(re.findall(r"\]\(([\w-]+\.md)", section)) - {"results.md"}
        if not names or section.partition("\n")[0] in ONLY_THERE:
            continue
        known = {
            number
            for name in names
            for number in NUMBER.findall((ROOT / "docs" / name).read_text(encoding="utf-8"))
        }
        for row in section.splitlines():
            if row.startswith("| ") and "---" not in row:
                cells = row.strip("|").split("|")[1:]
                figures = set(NUMBER.findall(" ".join(cells)))
                assert figures <= known | COUNTED, row
                checked += len(figures)
    assert checked > 100


def test_the_table_of_the_demo_is_the_same_wherever_it_stands() -> None:
    tables = [
        re.search(r"^game +games .*?(?=\n\n|\n```)", text, re.DOTALL | re.MULTILINE)
        for text in (RESULTS, TEXT[ROOT / "README.md"])
    ]
    shown = [table[0] for table in tables if table is not None]
    assert len(shown) == 2
    assert shown[0] == shown[1]


def test_the_shipped_records_are_counted_alike() -> None:
    folders = [path.name for path in (ROOT / "traces").iterdir() if path.is_dir()]
    words = {7: "seven", 8: "eight", 9: "nine", 10: "ten"}
    number = words[len(folders)]
    assert f"learn {number} games from shipped records" in TEXT[ROOT / "README.md"]
    assert f"of {number} reference games" in TEXT[ROOT / "traces" / "README.md"]
    assert f"small ones of {number} games ship" in TEXT[ROOT / "CHANGELOG.md"]
