"""The turns of one position as a planning problem (GRL paper, section 3.1).

Its state space enumerates the pseudo-legal turns as the automata alone tell them: every state in
which ``(ended)`` holds is what a turn leaves behind. The states of the automata are predicates
without arguments, displacements are static relations between squares, and what lies on a square is
an atom for its piece and one for whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.board import EMPTY, Position, Square
from grl.locm.actions import type_name
from grl.locm.domain import Atom, Domain, Fact, Predicate, Schema
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.turn import Letter, hand_of

SQUARE = "square"
CLASSES = {"e": "empty", "w": "own", "p": "opponent", "n": "neutral"}
BARE = "bare"
HERE, THERE = 0, 1


def position_problem(model: Model, position: Position) -> tuple[Domain, list[Fact]]:
    """The domain of the mover's turns in `position`, and the facts that hold there."""
    writer = _Writer(model, position)
    schemas = tuple(writer.schemas())
    arity: dict[str, int] = {}
    for schema in schemas:
        for atom in (*schema.needs, *schema.deletes, *schema.adds):
            arity[atom.predicate] = len(atom.args)
    facts = [fact for fact in writer.facts() if fact[0] in arity]
    predicates = tuple(Predicate(name, (SQUARE,) * n) for name, n in sorted(arity.items()))
    return Domain("turns", (SQUARE,), (), predicates, schemas), facts


class _Writer:
    def __init__(self, model: Model, position: Position) -> None:
        self.model, self.position = model, position
        self.equipment, self.board = position.equipment, position.board
        self.mover = position.to_move
        self.view = self.equipment.views[self.mover]
        self.automata = [dfa for dfa in model.automata if dfa.key.mover == self.mover]
        self.number = {dfa.key: i for i, dfa in enumerate(self.automata)}
        keys = sorted(self.equipment.pieces)
        self.piece = {key: f"{type_name(self.equipment, key)}{i}" for i, key in enumerate(keys)}
        self.hand = hand_of(position.stock, self.mover)

    def facts(self) -> Iterator[Fact]:
        """What holds before the turn."""
        names = self.board.names
        yield ("room_0",)
        yield (BARE,)
        for key, count in self.hand.items():
            yield (f"stock_{self.piece[key]}_{count}",)
        for square in self.board.squares:
            content = self.position.cells[square]
            yield CLASSES[self.view[content]], names[square]
            if content != EMPTY:
                yield f"holds_{self.piece[content]}", names[square]
            for letter in {x for dfa in self.automata for _, x, _ in dfa.transitions}:
                if letter.on not in "ewpn":
                    continue
                if letter.fly:
                    for other in self.board.squares:
                        if other != square:
                            yield "apart", names[square], names[other]
                else:
                    target = self.board.step(Square(square), letter.dx, letter.dy)
                    if target is not None:
                        yield _displaced(letter), names[square], names[target]

    def schemas(self) -> Iterator[Schema]:
        """An action for everything that may happen within a turn."""
        for dfa in self.automata:
            if dfa.key.role is not Role.APPEARED:
                yield from self._lift(dfa)
            for count, (source, letter, target) in enumerate(dfa.transitions):
                yield from self._letter(dfa, source, letter, target, count)
            for state in sorted(dfa.accepting | dfa.continuing):
                yield from self._end(dfa, state)

    def _state(self, key: AutomatonKey, state: int) -> Atom:
        return Atom(f"in_{self.number[key]}_{state}", ())

    def _lift(self, dfa: Dfa) -> Iterator[Schema]:
        """Take up what lies on a square; a word that begins with a removal leaves it there."""
        holds, number = dfa.key.holds, self.number[dfa.key]
        rooms = [0] if dfa.key.role is Role.FIRST else range(1, self.model.segments)
        on = (
            Atom("empty", (HERE,))
            if holds == EMPTY
            else Atom(f"holds_{self.piece[holds]}", (HERE,))
        )
        start = [self._state(dfa.key, 0), Atom("hand", (HERE,))]
        for room in rooms:
            begun = Atom(f"room_{room}", ())
            begin = (*start, Atom(f"used_{room + 1}", ()))
            yield Schema(f"touch_{number}_{room}", (SQUARE,), (begun, on), (begun,), begin)
            if holds != EMPTY:
                gone, put = self._emptied(holds, HERE)
                held = Atom(f"held_{self.piece[holds]}", ())
                bare = Atom(BARE, ())
                yield Schema(
                    f"lift_{number}_{room}",
                    (SQUARE,),
                    (begun, on),
                    (begun, bare, *gone),
                    (*begin, held, *put),
                )

    def _letter(
        self, dfa: Dfa, source: StateId, letter: Letter, target: StateId, count: int
    ) -> Iterator[Schema]:
        before, after = self._state(dfa.key, source), self._state(dfa.key, target)
        name = f"{self.number[dfa.key]}_{count}"
        here = Atom("hand", (HERE,))
        # Only a removal may be the first letter of a piece that was not taken up.
        taken = dfa.key.holds != EMPTY and source == 0 and dfa.key.role is not Role.APPEARED
        up = (Atom(f"held_{self.piece[dfa.key.holds]}", ()),) if taken else ()
        if letter.on in CLASSES:
            way = Atom("apart" if letter.fly else _displaced(letter), (HERE, THERE))
            fits = Atom(CLASSES[letter.on], (THERE,))
            left, arrived = (before, here), (after, Atom("hand", (THERE,)))
            yield Schema(
                f"step_{name}", (SQUARE, SQUARE), (before, here, *up, way, fits), left, arrived
            )
        elif letter.on == "d":
            bare = (Atom(BARE, ()),) if taken else ()
            for key, piece in self.piece.items():
                if taken and key != dfa.key.holds:
                    continue
                gone, put = self._emptied(key, HERE)
                needs = (before, here, *bare, Atom(f"holds_{piece}", (HERE,)))
                yield Schema(
                    f"remove_{name}_{piece}", (SQUARE,), needs, (before, *gone), (after, *put)
                )
        elif letter.on == "r":
            yield Schema(f"keep_{name}", (SQUARE,), (before, here, *up), (before,), (after,))
        else:
            yield from self._appear(before, letter, name, up)

    def _appear(
        self, before: Atom, letter: Letter, name: str, up: tuple[Atom, ...]
    ) -> Iterator[Schema]:
        heir = AutomatonKey(self.mover, letter.piece, Role.APPEARED)
        if heir not in self.number:
            return
        here, held = Atom("hand", (HERE,)), Atom(f"held_{self.piece[letter.piece]}", ())
        stocks = range(1, self.hand[letter.piece] + 1) if letter.piece in self.hand else [0]
        for stock in stocks:
            has = [Atom(f"stock_{self.piece[letter.piece]}_{stock}", ())] if stock else []
            left = [Atom(f"stock_{self.piece[letter.piece]}_{stock - 1}", ())] if stock else []
            for old in ("", *self.piece):
                carried = Atom(f"held_{self.piece[old]}" if old else BARE, ())
                gone, put = self._put(old) if old else ([], [])
                yield Schema(
                    f"appear_{name}_{stock}_{self.piece[old] if old else BARE}",
                    (SQUARE,),
                    tuple(dict.fromkeys((before, here, *up, carried, *has))),
                    (before, carried, *has, *gone),
                    (self._state(heir, 0), held, *left, *put),
                )

    def _end(self, dfa: Dfa, state: StateId) -> Iterator[Schema]:
        """Put the hand down; the turn ends, or another segment may begin."""
        before, here = self._state(dfa.key, state), Atom("hand", (HERE,))
        for old in ("", *self.piece):
            carried = Atom(f"held_{self.piece[old]}" if old else BARE, ())
            gone, put = self._put(old) if old else ([], [])
            for used in range(1, self.model.segments + 1):
                mark = Atom(f"used_{used}", ())
                name = f"{self.number[dfa.key]}_{state}_{self.piece[old] if old else BARE}_{used}"
                needs, deletes = (before, here, carried, mark), (before, here, carried, mark, *gone)
                if state in dfa.accepting:
                    added = (Atom("ended", ()), Atom(BARE, ()), *put)
                    yield Schema(f"end_{name}", (SQUARE,), needs, deletes, added)
                if state in dfa.continuing and used < self.model.segments:
                    added = (Atom(f"room_{used}", ()), Atom(BARE, ()), *put)
                    yield Schema(f"next_{name}", (SQUARE,), needs, deletes, added)

    def _emptied(self, key: str, at: int) -> tuple[list[Atom], list[Atom]]:
        """What is deleted and added where a piece leaves a square."""
        left = [Atom(f"holds_{self.piece[key]}", (at,)), Atom(CLASSES[self.view[key]], (at,))]
        return left, [Atom("empty", (at,))]

    def _put(self, key: str) -> tuple[list[Atom], list[Atom]]:
        """What is deleted and added where a piece is put down, whatever lies there."""
        put = [Atom(f"holds_{self.piece[key]}", (HERE,)), Atom(CLASSES[self.view[key]], (HERE,))]
        every = [Atom(f"holds_{piece}", (HERE,)) for piece in self.piece.values()]
        every += [Atom(name, (HERE,)) for name in CLASSES.values()]
        return [atom for atom in every if atom not in put], put


def _displaced(letter: Letter) -> str:
    """The name of the static relation of a displacement: ``by_1_m2``."""
    return "by_" + "_".join(str(x).replace("-", "m") for x in (letter.dx, letter.dy))
