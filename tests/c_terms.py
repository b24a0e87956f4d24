"""Terms compiled to C and run on rows: a library that computes all of them for each row."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from grl import logic
from grl.board import Square
from grl.logic.code import Code
from grl.logic.rows import Row, Rows
from grl.logic.terms import LEVELS, MOST_SEGMENTS, Term

COMPILER = shutil.which("cc")
DRIVER = """
typedef Set (*OneSet)(Ground *g, const Squares *t);
typedef Ways (*EachWay)(Ground *g, const Squares *t);
typedef int (*Number)(Ground *g, const Squares *t);
static OneSet const one_sets[] = {%(sets)s};
static EachWay const each_ways[] = {%(ways)s};
static Number const points[] = {%(points)s};
static Number const somes[] = {%(somes)s};
static Ground grounds[%(grounds)d];
static Set pieces[%(grounds)d][KEYS + 1];
/* By ground, seat, level, and whether it is where turns end. */
static Set touched[%(grounds)d][PLAYERS][2][2];

static Set given(const u64 *words) {
  Set found = NO_SQUARE;
  for (int s = 0; s < SQUARES; s++)
    if (words[s >> 6] >> (s & 63) & 1) found = set_with(found, s);
  return found;
}
static void put(Set a, u64 *out) { for (int i = 0; i < WORDS; i++) out[i] = set_word(a, i); }

UNUSED static Set threatened(Ground *g, int seat, int level) {
  return touched[g - grounds][seat][level][0];
}
UNUSED static Set reachable(Ground *g, int seat, int level) {
  return touched[g - grounds][seat][level][1];
}
UNUSED static int reaches(Ground *g, int seat, Set wanted) {
  return set_any(set_and(wanted, reachable(g, seat, 0)));
}

/* A ground's sets: by kind of piece, of no piece, moved. */
void set_ground(int i, const u64 *sets, int me, const i16 *last, const u64 *touches) {
  Ground *g = grounds + i;
  for (int k = 0; k < KEYS; k++) pieces[i][k] = given(sets + k * WORDS);
  g->pieces = pieces[i];
  g->empty = given(sets + KEYS * WORDS);
  g->moved = given(sets + (KEYS + 1) * WORDS);
  g->me = me;
  g->last = last;
  for (int k = 0; k < PLAYERS * 4; k++)
    touched[i][k / 4][k / 2 %% 2][k %% 2] = given(touches + k * WORDS);
  for (int k = 0; k < MEMOS / 64 + 1; k++) g->known[k] = 0;
}

/* The squares of a turn: start, end, then drop, taken, captured; those it passes, those where it
   removes pieces; none at all without a turn. */
void evaluate(int i, const i16 *squares, const u64 *path, u64 *sets, u64 *ways, i16 *at, u8 *some) {
  Squares turn, *t = squares ? &turn : 0;
  Ground *g = grounds + i;
  if (squares) {
    for (int k = 0; k < ROLES; k++) turn.start[k] = squares[k], turn.end[k] = squares[ROLES + k];
    turn.drop = squares[2 * ROLES];
    turn.taken = squares[2 * ROLES + 1];
    turn.captured = squares[2 * ROLES + 2];
    turn.path = given(path);
    turn.takes = given(path + WORDS);
    turn.crossed = given(path + 2 * WORDS);
  }
  for (int k = 0; one_sets[k]; k++) put(one_sets[k](g, t), sets + k * WORDS);
  for (int k = 0; each_ways[k]; k++) {
    const Ways found = each_ways[k](g, t);
    for (int d = 0; d < 8; d++) put(found.way[d], ways + (8 * k + d) * WORDS);
  }
  for (int k = 0; points[k]; k++) at[k] = points[k](g, t);
  for (int k = 0; somes[k]; k++) some[k] = somes[k](g, t);
}
"""


class Compiled:
    """What C computes of terms: sets, sets by direction, squares of points, whether there are any.

    `sets` is terms × rows × squares of the undirected `Compiled.undirected`, `ways` terms × rows ×
    directions × squares of `directed`, `points` terms × rows of `pointed`; `some` terms × rows.
    """

    def __init__(
        self,
        rows: Rows,
        terms: Sequence[Term],
        folder: Path,
        options: Sequence[str] = ("-O1",),
        compiler: str | None = COMPILER,
    ) -> None:
        self.code = Code(rows.equipment, rows.grid)
        self.undirected = [term for term in terms if not term.directed]
        self.directed = [term for term in terms if term.directed]
        self.pointed = [term for term in terms if term.point]
        self.rows, self.terms = rows, terms
        self.source = self._text()
        path = folder / "terms.c"
        path.write_text(self.source, encoding="ascii")
        assert compiler is not None
        command = [compiler, *options, "-shared", "-fPIC", path.name, "-o", "terms.so"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]
        self._library = ctypes.CDLL(str(folder / "terms.so"))
        self._run()

    def _text(self) -> str:
        code, header = self.code, Path(logic.__file__).parent
        sets = [code.define(term) for term in self.undirected]
        ways = [code.define(term) for term in self.directed]
        points = [code.point(term) for term in self.pointed]
        somes = []
        for number, term in enumerate(self.terms):
            name, asked = f"asked_{number}", code.some(term)
            code.blocks[name] = (
                f"static int {name}(Ground *g, const Squares *t) {{ return {asked}; }}"
            )
            somes.append(name)
        driver = DRIVER % {
            "sets": ", ".join([*sets, "0"]),
            "ways": ", ".join([*ways, "0"]),
            "points": ", ".join([*points, "0"]),
            "somes": ", ".join([*somes, "0"]),
            "grounds": len(self.rows.grounds),
        }
        return "\n".join(
            [
                f"#define SQUARES {self.rows.grid.size}",
                f"#define PLAYERS {len(self.rows.equipment.players)}",
                f"#define KEYS {len(self.rows.equipment.pieces)}",
                f"#define MEMOS {code.memos}",
                f"#define BACK {code.back}",
                (header / "sets.h").read_text(encoding="utf-8"),
                (header / "rows.h").read_text(encoding="utf-8"),
                code.text(),
                driver,
            ]
        )

    def _run(self) -> None:
        rows, size = self.rows, self.rows.grid.size
        words = (size + 63) // 64
        keep = [self._ground(number) for number in range(len(rows.grounds))]
        count = len(rows)
        sets = np.zeros((count, len(self.undirected), words), dtype=np.uint64)
        ways = np.zeros((count, len(self.directed), 8, words), dtype=np.uint64)
        points = np.zeros((count, len(self.pointed)), dtype=np.int16)
        some = np.zeros((count, len(self.terms)), dtype=np.uint8)
        for number in range(count):
            parent = number if rows.parent is None else int(rows.parent[number])
            turn, path = None, None
            if rows.turns is not None:
                square = rows.turns[number].square
                segments = range(1, MOST_SEGMENTS + 1)
                roles = [f"{end}{k}" for end in ("start", "end") for k in segments]
                asked = [square(role) for role in (*roles, "drop", "taken", "captured")]
                turn = np.array([-1 if s is None else s for s in asked], dtype=np.int16)
                path = _words(walk_of(rows.turns[number]), size)
            self._library.evaluate(
                parent,
                _address(turn),
                _address(path),
                *(_address(each[number]) for each in (sets, ways, points, some)),
            )
        del keep
        self.sets = _bits(sets, size).swapaxes(0, 1)
        self.ways = _bits(ways, size).swapaxes(0, 1)
        self.points, self.some = points.T, some.T.astype(bool)

    def _ground(self, number: int) -> object:
        rows, back = self.rows, self.code.back
        ground = rows.grounds[number]
        kinds = [*sorted(rows.equipment.pieces), "."]
        held = [[s for s, key in enumerate(ground.cells) if key == kind] for kind in kinds]
        sets = _words([*held, ground.moved], rows.grid.size)
        me = rows.equipment.players.index(ground.mover)
        seats = range(len(rows.equipment.players))
        own = [ground.last(0) if seat == me else {} for seat in seats]
        turns = [*(ground.last(k) for k in range(1, back + 1)), *own]
        lasts = [turn.get(role, -1) for turn in turns for role in LAST]
        known = np.array(lasts, dtype=np.int16) if any(s >= 0 for s in lasts) else None
        answers = [ground.asked.touched(seat, level) for seat in seats for level in LEVELS]
        touches = _words([np.flatnonzero(x) for both in answers for x in both], rows.grid.size)
        addresses = map(_address, (known, touches))
        self._library.set_ground(number, _address(sets), me, *addresses)
        return known


LAST = ("start1", "end1")


def _address(array: np.ndarray | None) -> ctypes.c_void_p | None:
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def walk_of(turn: Row) -> list[Sequence[Square]]:
    """The squares that a turn passes, those where it removes pieces, those that it passes twice."""
    path = turn.path()
    return [path, turn.taken(), [square for square in {*path} if path.count(square) > 1]]


def _words(sets, size: int) -> np.ndarray:
    """Sets of squares as words, sets × words."""
    found = np.zeros((len(sets), (size + 63) // 64), dtype=np.uint64)
    for row, squares in zip(found, sets, strict=True):
        for square in squares:
            row[square // 64] |= np.uint64(1 << square % 64)
    return found


def _bits(words: np.ndarray, size: int) -> np.ndarray:
    """The inverse: truths by square; bits beyond the last square have to be 0."""
    bytes_ = np.ascontiguousarray(words).view(np.uint8)
    bits = np.unpackbits(bytes_, axis=-1, bitorder="little").astype(bool)
    assert not bits[..., size:].any()
    return bits[..., :size]
