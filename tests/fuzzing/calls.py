"""Sound calls of every command, with the files that they read and the words that may be odd."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import zstandard

from fuzzing.corpus import RECORDED, seeds
from fuzzing.mutations import WORDS

INTS = ("0", "-1", "1", "nan", "1e9", "", "x", "٣", "1_0", " 1", "9" * 30, "9" * 5000, "2147483648")
FEW = ("0", "-1", "1", "2", "nan", "inf", "1.5", "", "x", "٣", "-9" + "9" * 30)
"""For numbers that are asked for work: no large ones, whose work is what was asked for."""
FLOATS = ("0", "-1", "-0.0", "nan", "inf", "-inf", "1e308", "1e-320", "", "x", "0x1", "9" * 400)
TEXTS = (*WORDS, "x" * 20_000, "a=b=c", "a=", "=", "--help", "-", "@", "nan", "\udcff")
GAMES = (
    *("tic-tac-toe:", "tic-tac-toe:width=3", "nope", "", ":", "breakthrough:width=0,height=4"),
    *("breakthrough:width=-1", "breakthrough:width=x", "breakthrough:width=99999999999,height=2"),
    *("breakthrough:width=4,width=5", "breakthrough:width=1000,height=1000", "connect-four:line=0"),
    *("connect-four:width=1,height=1,line=1", "amazons:width=1,height=1", "checkers", "é"),
)
PLACES = (
    "nowhere",
    "folder",
    "no/such/out",
    "/proc/self/mem",
    "/dev/null",
    "loop",
    "",
    "-",
    "é\n王",
)


@dataclass
class Maker:
    """A call under construction: `odd` gives words of it their odd values, by their number."""

    rng: Random
    argv: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    written: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    odd: dict[int, tuple[str, ...]] = field(default_factory=dict)
    packed: dict[str, Callable[[bytes], bytes]] = field(default_factory=dict)

    def say(self, *words: str) -> None:
        """Words as they are."""
        self.argv += words

    def value(self, value: str, odd: Sequence[str]) -> None:
        """A word that may be broken."""
        self.odd[len(self.argv)] = tuple(odd)
        self.argv.append(value)

    def maybe(self, share: float, option: str, value: str = "", odd: Sequence[str] = ()) -> None:
        """An option in some of the calls."""
        if self.rng.random() < share:
            self.argv.append(option)
            if odd:
                self.value(value, odd)

    def file(self, name: str, content: bytes) -> str:
        """A file to read; its name."""
        self.files[name] = content
        return name

    def input(self, name: str, content: bytes) -> None:
        """A file to read as the next word."""
        self.value(self.file(name, content), PLACES)

    def output(self, name: str, *, option: str = "-o") -> None:
        """A file or folder to write, sometimes there already."""
        self.argv.append(option)
        self.value(name, (*PLACES, *self.files))
        self.written.append(name)
        if "." in name and self.rng.random() < 0.2:
            self.files[name] = b"what was there before\n"

    def traces(self, i: int, number: int = 1) -> None:
        """Trace files of one game, plain or packed."""
        for n in range(number):
            suffix = self.rng.choice(("", "", "", ".gz", ".zst"))
            name = f"games{n}.jsonl{suffix}"
            if suffix:
                self.packed[name] = _PACKED[suffix]
            self.input(name, seeds().traces[i].content)

    def model(self) -> int:
        """A model file as the next word; the number of its trace."""
        i = self.rng.randrange(len(seeds().models))
        self.input("model.grl.json", seeds().models[i])
        return i

    def position(self, i: int, share: float = 0.5) -> None:
        """A position file in some of the calls."""
        if self.rng.random() < share:
            self.argv.append("--position")
            self.input("position.json", self.rng.choice(seeds().positions[i]))

    def after(self, i: int) -> None:
        """Turns to play first in some of the calls."""
        for turn in seeds().turns[i][: self.rng.choice((0, 0, 1, 2, 3))]:
            self.argv.append("--after")
            self.value(
                turn, (*TEXTS, f"{turn}; {turn}", f"{turn} (1 1 e)", f"{turn} (0 0 d)" * 500)
            )

    def seed(self) -> None:
        """A seed in a few calls."""
        self.maybe(0.1, "--seed", "3", INTS)


_PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda content: gzip.compress(content, 1, mtime=0),
    ".zst": lambda content: zstandard.ZstdCompressor(level=1).compress(content),
}
_SMALL = range(6)
"""Traces that are learned from within a fraction of a second."""


def _learn(m: Maker) -> None:
    m.say("learn")
    m.traces(m.rng.choice((*_SMALL, *_SMALL, *range(len(RECORDED)))), m.rng.choice((1, 1, 2)))
    m.output("out.grl.json")
    for flag in ("--skip-bad", "--no-locm", "--no-rules", "--no-symmetry", "--noise"):
        m.maybe(0.2, flag)
    m.maybe(0.05, "--prove-minimal")
    m.maybe(0.2, "--positions", "5", INTS)
    m.maybe(0.1, "--jobs", "2", INTS)
    m.seed()


def _rules(m: Maker) -> None:
    m.say("rules")
    m.model()
    m.maybe(0.4, "--json")


def _ask(m: Maker) -> None:
    m.say("ask")
    i = m.model()
    m.traces(i)
    m.say("--answers")
    m.value("answers.jsonl", (*PLACES, *m.files))
    if m.rng.random() < 0.5:
        m.file("answers.jsonl", seeds().answers[i])
    m.written.append("answers.jsonl")
    m.changed.append("answers.jsonl")
    m.say("--questions")
    m.value("1", FEW)
    if m.rng.random() < 0.5:
        m.say("--game")
        m.value(seeds().traces[i].game, GAMES)
    else:
        lines = [
            "",
            "skip",
            "over",
            "100",
            "0",
            "50",
            "1",
            "1-3",
            "2 1",
            "quit",
            "a1 (0 0 a x)",
            "x",
        ]
        m.stdin = "\n".join([*m.rng.choices(lines, k=8), ""]).encode()
    if m.rng.random() < 0.5:
        m.output("out.grl.json")
    m.seed()


def _moves(m: Maker) -> None:
    m.say("moves")
    i = m.model()
    m.position(i)
    m.after(i)
    m.maybe(0.5, "--json")


def _explain(m: Maker) -> None:
    m.say("explain")
    i = m.model()
    m.position(i)
    m.after(i)
    turns = seeds().turns[i]
    m.maybe(0.5, "--turn", m.rng.choice(turns), (*TEXTS, *turns))
    m.maybe(0.5, "--json")


def _perft(m: Maker) -> None:
    m.say("perft")
    i = m.model()
    m.say("-d")
    m.value("2", (*FEW, "1000000", "9" * 30, "9" * 5000))
    m.position(i)
    m.maybe(0.4, "--divide")


def _render(m: Maker) -> None:
    m.say("render")
    m.model()
    m.output("pictures")
    m.say("--format")
    m.value(m.rng.choice(("dot", "dot", "dot", "dot", "svg", "png", "pdf")), TEXTS)


def _compare_game(m: Maker) -> None:
    m.say("compare")
    i = m.model()
    m.say("--game")
    m.value(seeds().traces[i].game, GAMES)
    m.say("-n")
    m.value("3", FEW)
    m.seed()
    m.maybe(0.4, "--json")


def _compare_traces(m: Maker) -> None:
    m.say("compare")
    i = m.model()
    m.say("--traces")
    m.traces(i)
    m.maybe(0.3, "-n", "5", INTS)
    m.maybe(0.4, "--json")


def _compare_prove(m: Maker) -> None:
    m.say("compare")
    program = seeds().programs[0]
    m.input("one.lp", program)
    m.say("--prove")
    m.input("other.lp", program)
    if m.rng.random() < 0.7:
        m.say("--invariants")
        m.input("invariants.lp", seeds().invariants[0])
    if m.rng.random() < 0.3:
        m.say("--mapping")
        m.input("mapping.lp", m.rng.choice(seeds().mappings))
    m.maybe(0.3, "-c", "top=2", (*TEXTS, "top=", "top=x", "top=-1", "top=99999999999", "top=300"))
    m.say("--time-limit")
    m.value("0.4", FLOATS)
    m.maybe(0.3, "--json")


def _export(m: Maker) -> None:
    m.say("export")
    i = m.model()
    kind = m.rng.choice(("asp", "gdl", "pddl", "dot"))
    m.say("--to")
    m.value(kind, TEXTS)
    m.output("exported")
    m.position(i, 0.5 if kind == "pddl" else 0.02)


def _generate(m: Maker) -> None:
    m.say("traces", "generate")
    i = m.rng.randrange(len(RECORDED))
    m.value(seeds().traces[i].game, GAMES)
    m.say("-n")
    m.value("2", FEW)
    m.output(m.rng.choice(("out.jsonl", "out.jsonl.gz", "out.jsonl.zst")))
    m.say("--max-plies")
    m.value("10", FEW)
    m.maybe(0.4, "--all-moves")
    m.maybe(0.3, "--endgames", "0.5", FLOATS)
    if i in _SMALL:
        m.maybe(0.3, "--players", m.rng.choice(("greedy", "search")), TEXTS)
        m.maybe(0.2, "--depth", "1", FEW)
    m.seed()


def _check(m: Maker) -> None:
    m.say("traces", "check")
    m.traces(m.rng.randrange(len(RECORDED)), m.rng.choice((1, 1, 2)))
    m.maybe(0.5, "--skip-bad")


def _games(m: Maker) -> None:
    m.say(m.rng.choice(("games", "doctor")))
    m.value("--help", TEXTS)


def _las(m: Maker) -> None:
    m.say("las")
    text = m.rng.choice(seeds().tasks)
    m.input("task.las", text)
    m.maybe(0.2, "-s")
    m.maybe(0.2, "-ml", "2", FEW)
    m.maybe(0.2, "--max-rule-length", "3", FEW)
    m.say("--time-limit")
    m.value("0.4", FLOATS)
    for flag in ("--json", "--explain", "--no-constraints", "--extended"):
        m.maybe(0.15, flag)
    rule = re.sub(r"^[0-9]+ ~ |\s+$", "", text.decode().splitlines()[0])
    m.maybe(0.15, "--why", rule, (*TEXTS, "a" * 100 + ":-" * 50, "f(" * 5000 + ")" * 5000, ":- X."))


def _from_traces(m: Maker) -> None:
    m.say("las", "from-traces")
    m.traces(m.rng.choice((0, 0, 2, 3, 5)))
    m.say("--target")
    m.value(m.rng.choice(("terminal", "goal", "legal", "next", "control")), TEXTS)
    if m.rng.random() < 0.3:
        m.say("--given")
        m.input("given.lp", seeds().given[0])
    m.maybe(0.3, "--reach", "1", FEW)
    m.say("--positions")
    m.value("6", FEW)
    m.say("--time-limit")
    m.value("0.2", FLOATS)
    m.output("out.las")


def _iggp(m: Maker) -> None:
    m.say("iggp")
    m.input("train.dat", seeds().states[0])
    m.output("out.lp")
    m.say("--time-limit")
    m.value("0.4", FLOATS)
    m.seed()


def _locm(m: Maker) -> None:
    m.say("locm")
    for n in range(m.rng.choice((1, 1, 2))):
        m.input(f"plans{n}.txt", m.rng.choice(seeds().plans))
    m.output("out.pddl")
    m.say("--time-limit")
    m.value("0.4", FLOATS)
    if m.rng.random() < 0.3:
        m.output("pictures", option="--machines")
        m.maybe(0.95, "--format", m.rng.choice(("dot", "dot", "svg")), TEXTS)
    m.maybe(0.2, "--name", "world", TEXTS)
    m.maybe(0.2, "--rename", "b_after_put1=on", TEXTS)


def _play(m: Maker) -> None:
    m.say("play")
    i = m.model()
    m.maybe(0.5, "--against", m.rng.choice(("none", "random")), TEXTS)
    lines = ["1", "2", "all", "undo", "help", "?", "", "99", "quit", "9" * 100, *seeds().turns[i]]
    lines += [f"why {text}" for text in (*seeds().turns[i], "a1-b2", "")]
    lines += ["save .", "resign", "a", "b1"]
    m.maybe(0.2, "--seat", m.rng.choice(("x=uct:nodes=9", "x=person", "=")), TEXTS)
    m.stdin = "\n".join([*m.rng.choices(lines, k=m.rng.randrange(12)), ""]).encode()
    m.seed()


def _analyse(m: Maker) -> None:
    m.say("analyse")
    i = m.model()
    m.position(i)
    m.after(i)
    m.say("--player")
    m.value("mtdf:nodes=50", (*TEXTS, "uct:nodes=9", "random", "mtdf:nodes=0"))
    m.maybe(0.3, "--best", "2", INTS)
    m.maybe(0.3, "--json")


def _arena(m: Maker) -> None:
    m.say("arena")
    m.model()
    m.say("--players")
    m.value("random,uct:nodes=5", (*TEXTS, "random", "random,person"))
    m.say("--games", "2", "--plies", "9")
    m.maybe(0.5, "--openings", "1", INTS)
    m.maybe(0.3, "--jobs", "2")
    m.output("out.jsonl")
    m.seed()


def _engine(m: Maker) -> None:
    m.say("engine")
    i = m.model()
    m.maybe(0.2, "--show")
    m.maybe(0.1, "--source")
    if m.rng.random() < 0.7:
        m.argv.append("--protocol")
        m.file("position.json", m.rng.choice(seeds().positions[i]))
        lines = ["turns", "play 0", "play 9", "undo", "perft 2", "perft x", "over", "goals", "show"]
        lines += ["position", "position start", "position position.json", "position .", "kind"]
        lines += ["playouts 3 1", "players", "help", "quit", "", "jump", "9" * 100, *TEXTS]
        lines += [f"play {turn}" for turn in seeds().turns[i]]
        m.stdin = "\n".join(m.rng.choices(lines, k=m.rng.randrange(12))).encode(errors="replace")


def _import(m: Maker) -> None:
    m.say("import")
    kind, text = m.rng.choice((("pdn", seeds().pdn), ("acf", seeds().acf), ("pgn", seeds().pgn)))
    m.value(kind, TEXTS)
    m.input(f"games.{kind}", text[0])
    m.output(m.rng.choice(("out.jsonl", "out.jsonl.gz", "out.jsonl.zst")))
    m.maybe(0.1, "--game", "checkers", GAMES)
    m.maybe(0.1, "--limit", "1", INTS)
    m.maybe(0.2, "--keep-beginnings")
    m.maybe(0.2, "--strict")


COMMANDS: dict[str, Callable[[Maker], None]] = {
    "learn": _learn,
    "rules": _rules,
    "ask": _ask,
    "moves": _moves,
    "explain": _explain,
    "perft": _perft,
    "engine": _engine,
    "render": _render,
    "compare --game": _compare_game,
    "compare --traces": _compare_traces,
    "compare --prove": _compare_prove,
    "export": _export,
    "traces generate": _generate,
    "traces check": _check,
    "games, doctor": _games,
    "las": _las,
    "las from-traces": _from_traces,
    "iggp": _iggp,
    "locm": _locm,
    "play": _play,
    "analyse": _analyse,
    "arena": _arena,
    "import": _import,
}
