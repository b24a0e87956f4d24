"""Effects, learned: what the choices of a turn bring about on other squares.

Where equal choices are never followed by different rests (`grl.rules.play.effects`), a term of
`grl.logic` is sought for the squares that change, one for each kind of change; if there is one that
fits every record it is the effect. Where none does, effects may follow one another: what is left to
change is sought on the board that the first of them leaves, and said of the board before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain, combinations
from math import inf, log2
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, HOLE, Board, Equipment, Position, Square
from grl.errors import GrlError, ModelError
from grl.logic.changes import PUSHED, REMOVED, SAME, Change, change_of, once, outcomes
from grl.logic.contents import finest_contents
from grl.logic.ops.places import lies
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.search import describe
from grl.logic.terms import Term, make, parts_of
from grl.model import Effect
from grl.moves.candidate import Candidate
from grl.rules.play.effects import grid_of, landed_on, parted, row_of
from grl.rules.play.referee import candidate_of
from grl.rules.search.refine import Attempt, refine
from grl.sgrl.evidence import Evidence
from grl.turn import Letter, Segment, Turn, play

FEW = 200
"""Turns of each sort on which terms are sought first, at most."""
MOST_FIRST = 1_500
"""And turns of all sorts: what changes together may be of hundreds of sorts."""
SLIPS = 0.01
"""An effect that is wrong for a larger share of the turns that change something is none."""
ROUNDS = 12
"""How often turns that a term doesn't fit join them."""
FRUITLESS = 3
"""After so many rounds that bring nothing better there is no further one."""
MANY, LONG = 50, 3
"""So many turns, and so many further segments of one, show that rests are no choice."""
MOST_STARTS = 2
"""So many parts of a union are tried as what happens first."""
AFTERWARDS = 10.0
"""The price of looking at the board that other effects leave."""
MOST_KINDS = 4
"""More kinds of change than these are no few effects: contents are counted on, say."""
MOST_PLAIN = 100_000
"""Turns without a rest that are held to terms, of all that are known."""
CHUNK = 2_000
"""Turns that are evaluated at once."""


def choices(evidence: Evidence, first: bool = False) -> Evidence:
    """The evidence with each turn cut off after its last choice, or after its `first` segment."""
    decisions = {}
    for decision, turns in evidence.decisions.items():
        cut: dict[str, int] = {}
        for text, count in turns.items():
            chosen = text
            if "; " in text:
                turn = Turn.parse(text)
                chosen = str(Turn(turn.segments[:1]) if first else parted(turn)[0])
            cut[chosen] = cut.get(chosen, 0) + count
        decisions[decision] = cut
    return evidence.of(decisions)


@dataclass(frozen=True)
class Sample:
    """The choices of a turn carried out, and what the rest makes of which square."""

    name: str
    ground: Ground
    row: Walked
    landed: str
    rest: Mapping[Square, tuple[Letter, ...]]

    @property
    def order(self) -> tuple[int, str]:
        """Samples are drawn in this order, which depends on nothing but position and turn."""
        return crc32(self.name.encode()), self.name

    def change(self, equipment: Equipment, becomes: str, square: Square) -> Change | None:
        """What a word makes of what lies on a square."""
        cell = self.ground.cells[square]
        return change_of(equipment, becomes, self.ground.mover, cell, self.landed)

    def after(self, changes: Mapping[Square, str], equipment: Equipment) -> Sample:
        """The turn once something has become of some squares, which belong to its rest no more."""
        cells, rest = list(self.ground.cells), dict(self.rest)
        for square, becomes in changes.items():
            change = self.change(equipment, becomes, square)
            if change is not None:
                cells[square] = change.content
                rest.pop(square, None)
        return replace(self, ground=self.ground._replace(cells="".join(cells)), rest=rest)


@dataclass(frozen=True)
class LearnedEffects:
    """The effects that explain all later segments of the records; none where they are choices.

    `unexplained` turns have another rest than the effects give them; without effects they have one
    that is no choice either, as far as records show it: long, always the same, and fit by no term.
    """

    effects: tuple[Effect, ...] = ()
    unexplained: int = 0
    first: bool = False
    """Whether all but the first segment of a turn is unexplained."""

    @property
    def cut(self) -> bool:
        """Whether automata and machines are learned from choices alone."""
        return bool(self.effects) or self.unexplained > 0


def without_further(evidence: Evidence) -> LearnedEffects:
    """No effects, and every turn with further segments unexplained."""
    texts = chain.from_iterable(evidence.decisions.values())
    return LearnedEffects((), sum("; " in text for text in texts), first=True)


def learn_effects(evidence: Evidence, equipment: Equipment) -> LearnedEffects:
    """What choices bring about; see the top of the module."""
    samples = _samples(evidence, equipment)
    if samples is None:
        return LearnedEffects()
    found = _effects(samples, equipment)
    if found is not None:
        return found
    long = [sample for sample in samples if sample.rest]
    many = len(long) >= MANY and max(len(sample.rest) for sample in long) >= LONG
    return LearnedEffects((), len(long) if many else 0)


def _effects(samples: Sequence[Sample], equipment: Equipment) -> LearnedEffects | None:
    """An effect for each kind of change; None where there isn't one for each."""
    seeker = _Seeker(equipment)
    kinds = _kinds(samples, equipment) or ()
    found = {becomes: seeker.fit(samples, becomes) for becomes in kinds}
    changing = [sample for sample in samples if sample.rest]
    by_content = {
        becomes: seeker.fit_by_content(samples, becomes)
        for becomes in (kinds if len(changing) >= MANY else ())
        if found[becomes].wrong
    }
    found |= {becomes: fit for becomes, fit in by_content.items() if not fit.wrong}
    for becomes in kinds:
        whole = seeker.fit_afterwards(samples, becomes, found)
        found[becomes] = min(whole, by_content.get(becomes, whole), key=lambda fit: fit.rank)
    most = SLIPS * len(changing)
    effects = [
        Effect(fit.term.data, becomes)
        for becomes, fit in found.items()
        if fit.term is not None and fit.wrong <= most
    ]
    unexplained = sum(fit.wrong for fit in found.values())
    explained = effects and len(effects) == len(found)
    return LearnedEffects(tuple(effects), unexplained) if explained else None


class _Fit(NamedTuple):
    """A term for the squares of one kind of change, if any, and how many turns it doesn't fit."""

    term: Term | None
    wrong: int
    cost: float
    """The price of what was sought, on the boards on which it was."""

    @property
    def rank(self) -> tuple[int, float]:
        """The less, the better."""
        return self.wrong, self.cost


class _Seeker:
    """Seeks terms for squares that change, on the board that choices leave or that earlier effects
    leave of it."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment, self.grid = equipment, grid_of(equipment)

    def fit(self, samples: Sequence[Sample], becomes: str, content: str = "") -> _Fit:
        """The term for the squares of which that becomes which fits most turns.

        It is sought on few of them, and again with some of those that it doesn't fit. None where
        there is none, or none pays. Where only those that hold a `content` are asked for, what it
        denotes elsewhere doesn't matter.
        """

        def misfits(term: Term | None) -> Sequence[Sample]:
            if term is None:
                return samples
            found: list[Sample] = []
            for some in self._chunks(samples):
                rows = self._rows(some)
                wrong = rows.squares(term) != self._wanted(some, becomes)
                if content:
                    wrong &= rows.holding(content)[:, 0]
                found += [some[at] for at in np.flatnonzero(wrong.any(axis=1)).tolist()]
            return found

        def attempts(working: Sequence[Sample], _: int) -> list[Attempt[Term | None]]:
            rows, squares = self._rows(working), self._wanted(working, becomes)
            among = rows.holding(content)[:, 0] if content else None
            if among is not None:
                squares &= among
            found = describe(rows, squares, among)
            if found is None or found.bits > _saved(working, squares):
                return [Attempt(None, 0, last=True)]
            return [Attempt(found.term, 0, last=not (found.whole or content))]

        first = first_of_each_sort(samples)
        term, wrong = refine(
            first, attempts, misfits, ROUNDS, joining=lambda some: some[:FEW], fruitless=FRUITLESS
        )
        return _Fit(term, wrong, inf if term is None else term.price)

    def fit_by_content(self, samples: Sequence[Sample], becomes: str) -> _Fit:
        """The term made of one for the squares with each content that becomes that; none where
        there isn't one for each.

        Of a content there are few squares on a board, so that these are found sooner, and in parts.
        """
        nothing = _Fit(None, len(samples), inf)
        held: list[Term] = []
        parts: list[Term] = []
        for content in finest_contents(self.equipment):
            if not any(self._holding(some, becomes, content) for some in self._chunks(samples)):
                continue
            found = self.fit(samples, becomes, content)
            if found.term is None:
                return nothing
            parts.append(found.term)
            held.append(lies(content))
        if not parts:
            return nothing
        try:
            term = reduce(partial(make, EITHER), map(partial(make, BOTH), held, parts))
        except ModelError:  # It would be too large.
            return nothing
        wrong = 0
        for some in self._chunks(samples):
            off = self._rows(some).squares(term) != self._wanted(some, becomes)
            wrong += int(off.any(axis=1).sum())
        return _Fit(term, wrong, term.price)

    def _holding(self, samples: Sequence[Sample], becomes: str, content: str) -> bool:
        """Whether that becomes of a content in any of the turns."""
        held = self._rows(samples).holding(content)[:, 0]
        return bool((self._wanted(samples, becomes) & held).any())

    def fit_afterwards(
        self, samples: Sequence[Sample], becomes: str, found: Mapping[str, _Fit]
    ) -> _Fit:
        """A better term that looks at the board that other effects leave, or what is found already.

        Of a union is asked whether those of other kinds come first, and where it doesn't fit all
        turns, whether a part of its own does.
        """
        best = found[becomes]
        union = [] if best.term is None else list(parts_of(best.term))
        if not best.wrong and len(union) == 1:
            return best
        others = {
            kind: fit.term
            for kind, fit in found.items()
            if kind != becomes and fit.term is not None and not fit.wrong
        }
        starts: list[tuple[Mapping[str, Term], Term | None]] = [(others, None)] if others else []
        if best.wrong:
            starts += [({becomes: part}, part) for part in self._parts(samples, becomes, union)]
        for first, part in starts:
            if part is not None and not best.wrong:
                break
            later = self.fit(self._after(samples, first), becomes)
            cost = later.cost + AFTERWARDS + (0 if part is None else part.price + EITHER.price)
            if later.term is None or (later.wrong, cost) >= best.rank:
                continue
            term = once(later.term, first, self.equipment)
            # Said of the board before, a term may be too large to be formed.
            with suppress(ModelError):
                if term is not None:
                    whole = term if part is None else make(EITHER, part, term)
                    best = _Fit(whole, later.wrong, cost)
        return best

    def _parts(self, samples: Sequence[Sample], becomes: str, union: Sequence[Term]) -> list[Term]:
        """The parts of a union with no square that doesn't change so, those with most first."""
        gains: dict[Term, int] = {}
        for part in union:
            gained = 0
            for some in self._chunks(samples):
                squares, wanted = self._rows(some).squares(part), self._wanted(some, becomes)
                if (squares & ~wanted).any():
                    break
                gained += int(squares.sum())
            else:
                gains[part] = gained
        return sorted(gains, key=lambda part: (-gains[part], part))[:MOST_STARTS]

    def _after(self, samples: Sequence[Sample], effects: Mapping[str, Term]) -> list[Sample]:
        """The turns after these effects, with what is left to change."""
        found: list[Sample] = []
        for some in self._chunks(samples):
            rows = self._rows(some)
            met = {becomes: rows.squares(term) for becomes, term in effects.items()}
            for number, sample in enumerate(some):
                changes = {
                    Square(square): becomes
                    for becomes, squares in met.items()
                    for square in np.flatnonzero(squares[number]).tolist()
                }
                found.append(sample.after(changes, self.equipment) if changes else sample)
        return found

    def _wanted(self, samples: Sequence[Sample], becomes: str) -> NDArray[np.bool_]:
        """Samples × squares: where that becomes of what lies there."""
        found = np.zeros((len(samples), self.grid.size), dtype=np.bool_)
        for row, sample in zip(found, samples, strict=True):
            for square, letters in sample.rest.items():
                change = sample.change(self.equipment, becomes, square)
                row[square] = change is not None and change.letters == letters
        return found

    def _rows(self, samples: Sequence[Sample]) -> Rows:
        grounds, turns = [each.ground for each in samples], [each.row for each in samples]
        return Rows(self.equipment, self.grid, grounds, turns)

    def _chunks(self, samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
        for begin in range(0, len(samples), CHUNK):
            yield samples[begin : begin + CHUNK]


def first_of_each_sort(samples: Sequence[Sample]) -> list[Sample]:
    """Some turns of each sort, by what changes: rare sorts whole, common ones subsampled.

    Where there are many sorts fewer turns of each are taken.
    """
    sorts: dict[frozenset[str], list[Sample]] = {}
    for sample in samples:
        sort = frozenset(sample.ground.cells[square] for square in sample.rest)
        some = sorts.setdefault(sort, [])
        if len(some) < FEW:
            some.append(sample)
    most = FEW
    while most > 1 and sum(min(len(some), most) for some in sorts.values()) > MOST_FIRST:
        most -= 1
    return [sample for sort in sorted(sorts, key=sorted) for sample in sorts[sort][:most]]


def _saved(samples: Sequence[Sample], squares: NDArray[np.bool_]) -> float:
    """The bits that it takes to name the squares one by one: each among those that hold a piece."""
    pieces = [sum(key not in (EMPTY, HOLE) for key in sample.ground.cells) for sample in samples]
    return sum(
        float(count) * log2(held + 1)
        for count, held in zip(squares.sum(axis=1), pieces, strict=True)
    )


def _samples(evidence: Evidence, equipment: Equipment) -> list[Sample] | None:
    """The turns of the records; None where rests differ, or none is longer than a segment.

    Of very many those without a rest are subsampled.
    """
    texts = {text for turns in evidence.decisions.values() for text in turns if "; " in text}
    if not any(parted(Turn.parse(text))[1] for text in texts):
        return None
    found: list[Sample] = []
    several = False
    number = sum(map(len, evidence.decisions.values()))
    bound = min(1.0, MOST_PLAIN / number) * (1 << 32)
    for decision, turns in evidence.decisions.items():
        position = Position(equipment, decision.cells, decision.mover, decision.stock)
        rests: dict[str, Mapping[Square, tuple[Letter, ...]]] = {}
        for text in turns:
            if text == "pass":
                continue
            chosen, further = parted(Turn.parse(text))
            candidate = _carried_out(position, chosen) if further else None
            if further and candidate is None:
                return None
            rest = net_changes(equipment.board, candidate.cells, further) if candidate else {}
            if rests.setdefault(str(chosen) if further else text, rest) != rest:
                return None
            several |= len(rest) > 1
            name = f"{decision.mover} {decision.cells} {decision.stock} {text}"
            if not rest and crc32(name.encode()) >= bound:
                continue
            candidate = candidate or _carried_out(position, chosen)
            if candidate is None:
                return None
            ground = Ground(decision.mover, candidate.cells)
            row, landed = row_of(equipment.board, candidate), landed_on(position, candidate)
            found.append(Sample(name, ground, row, landed, rest))
    complete = any(decision.complete for decision in evidence.decisions)
    return sorted(found, key=lambda sample: sample.order) if complete or several else None


def net_changes(
    board: Board, cells: str, segments: Iterable[Segment]
) -> dict[Square, tuple[Letter, ...]]:
    """What segments that change a square each make of which; nothing of those that hold in the end
    what they held before."""
    found: dict[Square, tuple[Letter, ...]] = {}
    for segment in segments:
        square, last = board.square(segment.origin), segment.letters[-1]
        same = cells[square] == (last.piece if last.appears else EMPTY)
        if square in found and same and not last.reserves:
            del found[square]
        else:
            found[square] = segment.letters
    return found


def _carried_out(position: Position, turn: Turn) -> Candidate | None:
    try:
        after = play(position, turn)
    except GrlError:
        return None
    return candidate_of(position, turn, after)


def _kinds(samples: Iterable[Sample], equipment: Equipment) -> list[str] | None:
    """The kinds of change, the simplest words that say them all; None where words are lacking."""
    changes = {
        (sample.ground.mover, sample.ground.cells[square], sample.landed, letters)
        for sample in samples
        for square, letters in sample.rest.items()
    }
    words = {
        word: {
            each
            for each in changes
            if (change := change_of(equipment, word, *each[:3])) and change.letters == each[3]
        }
        for word in outcomes(equipment)
    }
    replaced = changes - words.pop(REMOVED)
    same, pushed = words.pop(SAME), words.pop(PUSHED)
    kinds = [REMOVED] if replaced != changes else []
    single = [word for word, said in words.items() if said == replaced]
    if not replaced or single:
        return [*kinds, *single[:1]] if replaced else kinds
    if same == replaced:
        return [*kinds, SAME]
    if pushed == replaced:
        return [*kinds, PUSHED]
    general = {SAME: same, PUSHED: pushed}
    for (one, first), (other, second) in combinations([*general.items(), *words.items()], 2):
        if one in general and first | second == replaced:
            return [*kinds, one, other]
    kinds += [word for word, said in words.items() if said]
    covered = set().union(*words.values()) == replaced
    return kinds if covered and len(kinds) <= MOST_KINDS else None
