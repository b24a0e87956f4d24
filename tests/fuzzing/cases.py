"""Calls of every command with one thing or a few broken in each: files, words, surroundings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from fuzzing.calls import COMMANDS, TEXTS, Maker
from fuzzing.mutations import CONTROLS, mutate
from fuzzing.sandbox import Start
from fuzzing.sound import changeable, changed


@dataclass(frozen=True)
class Case:
    """A call with its files: `written` may come to be, `changed` may change, nothing else."""

    command: str
    argv: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    stdin: bytes | None = b""
    written: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    stdout: str = "file"
    environment: tuple[tuple[str, str], ...] = ()
    fresh: bool = False
    links: tuple[tuple[str, str], ...] = ()

    @property
    def start(self) -> Start:
        """How it is run."""
        return Start(self.argv, self.stdin, self.stdout, self.environment, self.fresh)


_SHARES = {
    "games, doctor": 0.1,
    "ask": 0.1,
    "analyse": 0.6,
    "arena": 0.6,
    "render": 0.5,
    "compare --game": 0.5,
    "compare --prove": 0.5,
}
"""Of commands that have little to read or take long, fewer calls."""


def command_of(seed: int, number: int) -> str:
    """Which command the case is of."""
    shares = [_SHARES.get(name, 1.0) for name in COMMANDS]
    return Random(f"command {seed} {number}").choices(list(COMMANDS), shares)[0]


def make(seed: int, number: int) -> Case:
    """A case by its number; the same whenever it is made."""
    command = command_of(seed, number)
    rng = Random(f"case {seed} {number}")
    m = Maker(rng)
    COMMANDS[command](m)
    breaks = rng.choices((_file, _word, _stdin, _place), (74, 18, 4, 4))[0]
    case = breaks(m, command)
    case = replace(case, argv=tuple(word.replace("\0", "") for word in case.argv))
    if rng.random() < 0.015:
        case = replace(case, fresh=True)
    if rng.random() < 0.015:
        case = _elsewhere(m, case)
    return case


def _case(m: Maker, command: str) -> Case:
    files = {
        name: m.packed[name](content) if name in m.packed else content
        for name, content in m.files.items()
    }
    return Case(
        command,
        tuple(m.argv),
        tuple(files.items()),
        m.stdin,
        tuple(m.written),
        tuple(m.changed),
    )


def _file(m: Maker, command: str) -> Case:
    """Something wrong in a file, or in what comes from standard input."""
    names = [name for name in m.files if name not in m.written or name in m.changed]
    if not names or (m.stdin and m.rng.random() < 0.3):
        return _stdin(m, command)
    for name in m.rng.sample(names, min(len(names), m.rng.choice((1, 1, 1, 2)))):
        plain = name.partition(".gz")[0].partition(".zst")[0]
        if changeable(plain) and m.rng.random() < 0.5:
            m.files[name] = changed(plain, m.files[name], m.rng)
        elif name in m.packed and m.rng.random() < 0.3:
            m.files[name] = mutate(m.packed.pop(name)(m.files[name]), m.rng, tree=False)
        else:
            m.files[name] = mutate(m.files[name], m.rng, tree=".json" in name)
    return _case(m, command)


def _stdin(m: Maker, command: str) -> Case:
    """Something wrong in what comes from standard input."""
    m.stdin = mutate(m.stdin, m.rng, tree=False)
    return _case(m, command)


def _word(m: Maker, command: str) -> Case:
    """A value that is odd, or a word too many or too few."""
    for _ in range(m.rng.choice((1, 1, 2))):
        at = m.rng.randrange(len(m.argv))
        if m.odd and m.rng.random() < 0.8:
            at = m.rng.choice(list(m.odd))
            m.argv[at] = m.rng.choice(m.odd[at])
        elif m.rng.random() < 0.5:
            m.argv[at:at] = [m.rng.choice((*m.argv, *TEXTS))]
            break
        else:
            del m.argv[at]
            break
    return _case(m, command)


def _place(m: Maker, command: str) -> Case:
    """A sound call in odd surroundings."""
    case = _case(m, command)
    kind = m.rng.choice(("closed", "full", "pipe", "stdin", "names", "same", "same", "there"))
    if kind in ("closed", "full", "pipe"):
        return replace(case, stdout=kind, fresh=True)
    if kind == "stdin":
        return replace(case, stdin=None, fresh=True)
    read = [name for name in m.files if name not in m.written]
    if kind == "names" and read:
        old = m.rng.choice(read)
        odd = ("é 王\n.x", "-x", "a" * 200, "\x1b[31m", "'\"$(", "x" + m.rng.choice(CONTROLS[1:]))
        new = m.rng.choice(odd) + old.rpartition("/")[2]
        argv = tuple(new if word == old else word for word in case.argv)
        return replace(
            case, argv=argv, files=tuple((new if n == old else n, c) for n, c in case.files)
        )
    outputs = [i for i, word in enumerate(case.argv) if word in m.written and "." in word]
    if kind == "same" and outputs and read:
        at, source = m.rng.choice(outputs), m.rng.choice(read)
        how = m.rng.choice(("same", "link", "hard"))
        name = source if how == "same" else f"link-{source}"
        links = () if how == "same" else ((how, source),)
        argv = (*case.argv[:at], name, *case.argv[at + 1 :])
        return replace(case, argv=argv, links=links)
    return replace(case, files=(*case.files, ("pictures", b"a file"), ("exported", b"a file")))


def _elsewhere(m: Maker, case: Case) -> Case:
    """The same in another environment."""
    odd = m.rng.choice(
        (
            (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0")),
            (("PYTHONIOENCODING", "ascii"),),
            (("COLUMNS", "1"), ("LINES", "1"), ("TERM", "")),
            (("HOME", "/nowhere"), ("TMPDIR", "/nowhere"), ("PATH", "")),
            (("PYTHONHASHSEED", "7"), ("PYTHONDEVMODE", "1")),
        )
    )
    return replace(case, environment=odd, fresh=True)
