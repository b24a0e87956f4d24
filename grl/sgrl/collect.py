"""From evidence to offer trees: every decision's turns cut into words and laid on the board.

Turns are handled as columns of numbers. What follows from a turn's text alone, its letters and
words, is found once for each text; boards under pieces that appear in a turn's first segment are
made for all turns at once. Later segments are few, and are carried out one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Equipment, Player, Square, Stock
from grl.model import AutomatonKey, Role
from grl.progress import Progress, late, silent
from grl.sgrl.evidence import Decision, Evidence
from grl.sgrl.offers import Characters, Geometry, Kept, OfferTree, Scene, characters_of
from grl.sgrl.words import END, NEXT, Cut, Word, cut, cut_text
from grl.sgrl.wrapping import NO_EDGE, Wrapping
from grl.turn import (
    APPEAR,
    LIFT,
    PUT,
    REMOVE,
    RESERVE,
    Program,
    Segment,
    Turn,
    carry_out,
    compile_turn,
    hand_of,
    stock_with,
)

FLIGHT_OFFERS = 5_000
"""Offers looked at where a piece flies: each stands for as many places as the board has squares."""

OFFERED = "movement: what was offered"

SceneKey = tuple[Player, Role, str]
Numbers = NDArray[np.int64]
Boards = dict[tuple[Segment, ...], tuple[str, Stock]]


class _Turns(NamedTuple):
    """Turns as columns: the decision, the origin square, which text follows it, how often.

    `rest` numbers texts; it is -1 for a pass.
    """

    decision: Numbers
    square: Numbers
    rest: Numbers
    times: Numbers

    def at(self, chosen: NDArray[np.bool_] | Numbers | slice) -> _Turns:
        return _Turns(*(column[chosen] for column in self))


class _Sightings(NamedTuple):
    """Words seen, as columns: the character of what has control, the word, where, how often."""

    holds: Numbers
    word: Numbers
    row: Numbers
    square: Numbers
    times: Numbers


class _Block(NamedTuple):
    """Rows of a scene to be, with the number of choices made at each, and what was seen there."""

    characters: Characters
    stocks: list[Stock]
    complete: NDArray[np.bool_]
    weights: Numbers
    games: Numbers
    sightings: _Sightings


@dataclass
class _Rows:
    """Rows made one by one: the boards, and the columns of what was seen there."""

    boards: dict[tuple[object, ...], tuple[str, Stock, bool, int]] = field(default_factory=dict)
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    sightings: list[tuple[int, int, int, int, int]] = field(default_factory=list)


class _Collector:
    """Evidence as columns, and from them the rows of every scene."""

    def __init__(
        self, evidence: Evidence, equipment: Equipment, wrapping: Wrapping, progress: Progress
    ) -> None:
        self.progress = progress
        self.equipment, self.geometry = equipment, Geometry(equipment.board, wrapping)
        self.decisions: list[Decision] = []
        self.cuts: list[Cut] = []
        self.numbers: dict[Word, int] = {}
        self.turns = self._read(evidence)
        size = equipment.board.size
        self.characters = characters_of([d.cells for d in self.decisions], size)
        self.complete = np.array([d.complete for d in self.decisions], dtype=bool)
        self.games = _games(evidence, self.decisions)

    def _read(self, evidence: Evidence) -> _Turns:
        square = self.equipment.board.square
        known: dict[str, int] = {}
        decisions, squares, rests, counts = [], [], [], []
        for at, (decision, turns) in enumerate(evidence.sorted()):
            self.decisions.append(decision)
            for text, count in turns:
                name, _, rest = text.partition(" ")
                number = known.get(rest, -1)
                if number < 0 and rest:
                    number = known[rest] = len(self.cuts)
                    self.cuts.append(cut_text(rest))
                decisions.append(at)
                squares.append(square(name) if rest else Square(0))
                rests.append(number)
                counts.append(count)
        return _Turns(*(np.array(c, dtype=np.int64) for c in (decisions, squares, rests, counts)))

    def kept(self, mover: Player) -> Kept | None:
        """What lay where a turn's first word puts a piece into the hand, by that piece.

        None where the records can't say, because the word has flown before.
        """
        geometry, turns = self.geometry, self.turns
        own = np.array([decision.mover == mover for decision in self.decisions], dtype=bool)
        keeping = [any(x.reserves for x in each.words[0]) for each in self.cuts]
        chosen = own[turns.decision] & (turns.rest >= 0) & np.array([*keeping, False])[turns.rest]
        found: dict[str, set[int]] = {}
        turns = turns.at(np.flatnonzero(chosen)[np.argsort(turns.rest[chosen], kind="stable")])
        starts = np.flatnonzero(np.diff(turns.rest, prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(turns.rest)]):
            group = turns.at(slice(start, end))
            square: Numbers = group.square
            for letter in self.cuts[group.rest[0]].words[0]:
                if letter.fly:
                    return None
                if letter.steps:
                    square = geometry.table(letter.dx, letter.dy)[square].astype(np.int64)
                elif letter.reserves:
                    lay = np.unique(self.characters[group.decision, square]).tolist()
                    found.setdefault(letter.piece, set()).update(lay)
        return {piece: frozenset(lay) for piece, lay in found.items()}

    def number(self, word: Word) -> int:
        """A number for a word, the same for all its spellings."""
        plain = self.geometry.wrapping.word(word)
        return self.numbers.setdefault(plain, len(self.numbers))

    def stages(self) -> dict[SceneKey, list[_Block]]:
        """The rows of all scenes."""
        stages: dict[SceneKey, list[_Block]] = {}
        movers = [decision.mover for decision in self.decisions]
        starts = [i for i, mover in enumerate(movers) if i == 0 or mover != movers[i - 1]]
        for start, end in pairwise([*starts, len(movers)]):
            low, high = np.searchsorted(self.turns.decision, (start, end))
            turns = self.turns.at(slice(low, high))
            mover = movers[start]
            stages[mover, Role.FIRST, ""] = [self._first(turns, start, end)]
            for piece, block in self._appeared(turns, mover):
                stages[mover, Role.APPEARED, piece] = [block]
            for (role, piece), rows in self._later(turns).items():
                stages.setdefault((mover, role, piece), []).append(self._block(rows))
        return stages

    def _first(self, turns: _Turns, start: int, end: int) -> _Block:
        """The decisions from `start` to `end`, and the words with which their turns begin."""
        firsts = np.array([self.number(cut.words[0]) for cut in self.cuts], dtype=np.int64)
        moves = turns.at(turns.rest >= 0)
        return _Block(
            self.characters[start:end],
            [decision.stock for decision in self.decisions[start:end]],
            self.complete[start:end],
            _sums(turns.decision - start, turns.times, end - start),
            self.games[start:end],
            _Sightings(
                self.characters[moves.decision, moves.square].astype(np.int64),
                firsts[moves.rest],
                moves.decision - start,
                moves.square,
                moves.times,
            ),
        )

    def _appeared(self, turns: _Turns, mover: Player) -> Iterator[tuple[str, _Block]]:
        """By piece the words after each ``a`` of a first segment, offered where it appeared."""
        prefixes: dict[Segment, int] = {}
        parts = []
        for rest, cut_ in enumerate(self.cuts):
            length = 0
            for before, word in pairwise(cut_.words):
                length += len(before)
                prefix = cut_.first.prefix(length)
                number = prefixes.setdefault(prefix, len(prefixes))
                parts.append((rest, number, self.number(word)))
        if not parts:
            return
        rest, prefix_of, word_of = np.array(parts, dtype=np.int64).T
        begin, end = np.searchsorted(rest, turns.rest), np.searchsorted(rest, turns.rest + 1)
        turn, part = _ranges(begin, end)
        pieces = [prefix.letters[-1].piece for prefix in prefixes]
        piece_of = np.array([ord(piece) for piece in pieces])[prefix_of[part]]
        for piece in sorted(set(map(chr, np.unique(piece_of)))):
            chosen = np.flatnonzero(piece_of == ord(piece))
            found = turns.at(turn[chosen])
            words, numbers = word_of[part[chosen]], prefix_of[part[chosen]]
            yield piece, self._under(piece, found, words, numbers, list(prefixes), mover)

    def _under(
        self,
        piece: str,
        turns: _Turns,
        words: Numbers,
        prefix: Numbers,
        prefixes: Sequence[Segment],
        mover: Player,
    ) -> _Block:
        """The boards under a `piece` that appears after some `prefix` of each of `turns`."""
        board, span = self.equipment.board, len(prefixes)
        place = turns.square * span + prefix
        keys, first, row = np.unique(
            turns.decision * (board.size * span) + place, return_index=True, return_inverse=True
        )
        decision, square, place = turns.decision[first], turns.square[first], place[first]
        holds = self.characters[decision, square].astype(np.int64)
        kinds, kind = np.unique(place * (1 << 21) + holds, return_inverse=True)
        programs, writes = [], []
        for value in kinds.tolist():
            origin, number = divmod(value >> 21, span)
            segment = prefixes[number]._replace(origin=board.names[origin])
            program = compile_turn(Turn((segment,)), board)
            programs.append(program)
            writes.append(list(written(program[:-1], chr(value & 0x1FFFFF)).items()))
        characters = self.characters[decision]
        for nth in range(max(map(len, writes))):
            target = np.array([w[nth][0] if nth < len(w) else -1 for w in writes])[kind]
            content = np.array([ord(w[nth][1]) if nth < len(w) else 0 for w in writes])[kind]
            at = np.flatnonzero(target >= 0)
            characters[at, target[at]] = content[at]
        landings = np.array([program[-1].square for program in programs], dtype=np.int64)
        return _Block(
            characters,
            self._stocks(decision.tolist(), kind.tolist(), programs, mover),
            self.complete[decision],
            _sums(row, turns.times, len(keys)),
            self.games[decision],
            _Sightings(np.full(len(row), ord(piece)), words, row, landings[kind][row], turns.times),
        )

    def _stocks(
        self, decisions: list[int], kinds: list[int], programs: Sequence[Program], mover: Player
    ) -> list[Stock]:
        """The stock after a program at each of some decisions."""
        known: dict[tuple[Stock, int], Stock] = {}
        stocks = []
        for decision, kind in zip(decisions, kinds, strict=True):
            key = self.decisions[decision].stock, kind
            if key not in known:
                known[key] = _stock_after(key[0], mover, programs[kind])
            stocks.append(known[key])
        return stocks

    def _later(self, turns: _Turns) -> dict[tuple[Role, str], _Rows]:
        """The words of later segments."""
        names = self.equipment.board.names
        further = np.array([bool(cut.later) for cut in self.cuts], dtype=bool)
        found: dict[tuple[Role, str], _Rows] = {}
        at, boards = -1, Boards()
        chosen = turns.at((turns.rest >= 0) & further[turns.rest]) if further.any() else ()
        for number, square, rest, count in zip(*(c.tolist() for c in chosen), strict=True):
            if number != at:
                if late(self.progress, OFFERED, number, len(self.decisions)):
                    break
                at, boards = number, Boards()
            decision, turn = self.decisions[number], self.cuts[rest].turn(names[square])
            for later in _later_words(decision, turn, self.equipment, boards):
                rows = found.setdefault((later.role, later.piece), _Rows())
                row = rows.numbers.setdefault((number, *later.done), len(rows.numbers))
                rows.boards.setdefault(
                    (number, *later.done), (*boards[later.done], decision.complete, number)
                )
                word = self.number(later.word)
                rows.sightings.append((ord(later.holds), word, row, later.square, count))
        return found

    def _block(self, rows: _Rows) -> _Block:
        cells, stocks, complete, decisions = zip(*rows.boards.values(), strict=True)
        columns = _Sightings(*np.array(rows.sightings, dtype=np.int64).T)
        return _Block(
            characters_of(cells, self.equipment.board.size),
            list(stocks),
            np.array(complete, dtype=bool),
            _sums(columns.row, columns.times, len(cells)),
            self.games[list(decisions)],
            columns,
        )


class _Later(NamedTuple):
    """A word of a later segment, offered on the board that the segments `done` have left."""

    role: Role
    piece: str
    done: tuple[Segment, ...]
    holds: str
    square: Square
    word: Word


def _later_words(
    decision: Decision, turn: tuple[Segment, ...], equipment: Equipment, boards: Boards
) -> Iterator[_Later]:
    """The words of a turn after its first segment; `boards` remembers those of the decision."""
    board = equipment.board
    for i, segment in enumerate(turn[1:], 1):
        done, square = turn[:i], board.square(segment.origin)
        words = cut(segment.letters, END if i == len(turn) - 1 else NEXT)
        if done not in boards:
            program = compile_turn(Turn(done), board)
            boards[done] = _carried(decision, program, equipment)
        yield _Later(Role.LATER, "", done, boards[done][0][square], square, words[0])
        length = 0
        for before, word in pairwise(words):
            length += len(before)
            prefix = segment.prefix(length)
            program = compile_turn(Turn((*done, prefix)), board)
            if (*done, prefix) not in boards:
                boards[*done, prefix] = _carried(decision, program[:-1], equipment)
            piece = before[-1].piece
            yield _Later(Role.APPEARED, piece, (*done, prefix), piece, program[-1].square, word)


def _carried(decision: Decision, program: Program, equipment: Equipment) -> tuple[str, Stock]:
    """The board and the stock after a program."""
    cells, mover = list(decision.cells), decision.mover
    hand = hand_of(decision.stock, mover)
    carry_out(program, cells, equipment.views[mover], set(), hand, equipment.pieces)
    return "".join(cells), stock_with(decision.stock, mover, hand) if hand else decision.stock


def written(program: Program, holds: str) -> dict[Square, str]:
    """What `carry_out` writes on the board where the program of one segment fits.

    `holds` is what lies on the segment's origin; nothing else decides what is written.
    """
    cells: dict[Square, str] = {}
    held = ""
    for code, square, arg in program:
        if code == LIFT and holds != EMPTY:
            cells[square], held = EMPTY, holds
        elif code == REMOVE:
            cells[square] = EMPTY
        elif code in (PUT, APPEAR):
            if held:
                cells[square] = held
            held = arg
    return cells


def _stock_after(stock: Stock, mover: Player, program: Program) -> Stock:
    """The stock after a program that fits."""
    hand = hand_of(stock, mover)
    for code, _, piece in program:
        if code == RESERVE:
            hand[piece] = hand.get(piece, 0) + 1
        elif code == APPEAR and piece in hand:
            hand[piece] -= 1
    return stock_with(stock, mover, hand) if hand else stock


def _games(evidence: Evidence, decisions: Sequence[Decision]) -> Numbers:
    """The games of the decisions, numbered from 0; those of unknown games stand alone."""
    known: dict[int, int] = {}
    found = []
    for alone, decision in enumerate(decisions):
        game = evidence.games.get(decision, -1 - alone)
        found.append(known.setdefault(game, len(known)))
    return np.array(found, dtype=np.int64)


def _sums(at: Numbers, values: Numbers, length: int) -> Numbers:
    """The sum of the values at each number below `length`."""
    return np.bincount(at, weights=values, minlength=length).astype(np.int64)


def _ranges(begin: Numbers, end: Numbers) -> tuple[Numbers, Numbers]:
    """For each range its number and its members, one after the other."""
    lengths = end - begin
    number = np.repeat(np.arange(len(begin)), lengths)
    before = np.cumsum(lengths) - lengths
    return number, np.arange(len(number)) - before[number] + begin[number]


def collect(
    evidence: Evidence,
    equipment: Equipment,
    wrapping: Wrapping = NO_EDGE,
    progress: Progress = silent,
) -> dict[AutomatonKey, OfferTree]:
    """The offer trees of all automata that `evidence` speaks of, calibrated.

    Under a `wrapping` all words are spelled plainly. Where `progress` raises `Stopped` the later
    segments of the turns that are left are not looked at.
    """
    collector = _Collector(evidence, equipment, wrapping, progress)
    stages = collector.stages()
    words = list(collector.numbers)
    trees: dict[AutomatonKey, OfferTree] = {}
    for key in sorted(stages):
        mover, role, _ = key
        block = _joined(stages[key])
        scene = Scene(
            equipment,
            collector.geometry,
            mover,
            block.characters,
            block.stocks,
            block.weights,
            block.complete,
            block.games,
            collector.kept(mover) if role is Role.FIRST else None,
        )
        for holds in np.unique(block.sightings.holds).tolist():
            seen = block.sightings.holds == holds
            sightings = _Sightings(*(column[seen] for column in block.sightings))
            tree = _tree(scene, sightings, words, chr(holds), role)
            trees[AutomatonKey(mover, chr(holds), role)] = tree
        scene.calibrate()
    return trees


def _joined(blocks: Sequence[_Block]) -> _Block:
    """The rows of all blocks, one block below the other."""
    if len(blocks) == 1:
        return blocks[0]
    lengths = [len(block.weights) for block in blocks]
    starts = np.cumsum([0, *lengths[:-1]])
    moved = [
        block.sightings._replace(row=block.sightings.row + start)
        for block, start in zip(blocks, starts, strict=True)
    ]
    return _Block(
        np.concatenate([block.characters for block in blocks]),
        [stock for block in blocks for stock in block.stocks],
        np.concatenate([block.complete for block in blocks]),
        np.concatenate([block.weights for block in blocks]),
        np.concatenate([block.games for block in blocks]),
        _Sightings(*map(np.concatenate, zip(*moved, strict=True))),
    )


def words_of(
    decision: Decision, text: str, equipment: Equipment
) -> list[tuple[AutomatonKey, Word]]:
    """The words of one known turn with the automata that they belong to."""
    name, _, rest = text.partition(" ")
    if not rest:
        return []
    found, mover = cut_text(rest), decision.mover
    holds = decision.cells[equipment.board.square(name)]
    pairs = [(AutomatonKey(mover, holds, Role.FIRST), found.words[0])]
    for before, word in pairwise(found.words):
        pairs.append((AutomatonKey(mover, before[-1].piece, Role.APPEARED), word))
    for later in _later_words(decision, found.turn(name), equipment, {}):
        pairs.append((AutomatonKey(mover, later.holds, later.role), later.word))
    return pairs


def _tree(
    scene: Scene, seen: _Sightings, words: Sequence[Word], holds: str, role: Role
) -> OfferTree:
    """The tree of one automaton with its sightings."""
    size = scene.codes.shape[1]
    places = seen.row * size + seen.square
    if role is Role.APPEARED:
        offered = np.unique(places)
    else:
        rows, squares = scene.holding(holds)
        offered = rows.astype(np.int64) * size + squares
    span = len(scene.weights) * size
    distinct, which = np.unique(seen.word * span + places, return_inverse=True)
    counts = np.bincount(which, weights=seen.times)
    numbers, begin = np.unique(distinct // span, return_index=True)
    places = distinct % span
    if len(offered) > FLIGHT_OFFERS and any(x.fly for n in numbers for x in words[n]):
        subsampled = offered[:: -(-len(offered) // FLIGHT_OFFERS)]
        # With the first place of every word, so that none goes unseen.
        offered = np.union1d(subsampled, places[begin])
    tree = OfferTree(
        scene,
        (offered // size).astype(np.int32),
        (offered % size).astype(np.int32),
        lifted=role is not Role.APPEARED and holds != EMPTY,
    )
    ends = dict(zip(numbers.tolist(), pairwise([*begin.tolist(), len(distinct)]), strict=True))
    for number in sorted(ends, key=words.__getitem__):
        start, end = ends[number]
        at = np.minimum(np.searchsorted(offered, places[start:end]), len(offered) - 1)
        kept = offered[at] == places[start:end]
        tree.add_sightings(words[number], at[kept].astype(np.int32), counts[start:end][kept])
    return tree
