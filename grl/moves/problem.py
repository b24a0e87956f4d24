"""The turns of one position as a planning problem (GRL paper, section 3.1).

Its state space enumerates the pseudo-legal turns: every state in which ``(ended)`` holds is what a
turn leaves behind. The states of the automata are predicates without arguments, displacements are
static relations between squares, and what lies on a square is an atom for its piece and one for
whose it is. Machines and ties are in `grl.moves.ordering`; their actions come from the letters by
the rules of `grl.locm.actions`: a step onto a piece is *pending* until what follows shows which
action it was, and is settled as a plain move where that is no removal and no step to an empty
square.

Left out are passing, and what a captured piece adds to a reserve.
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.board import EMPTY, Position
from grl.locm.actions import KEEP, type_name
from grl.locm.domain import Atom, Domain, Fact, Predicate, Schema
from grl.model import AutomatonKey, Dfa, Model, Role, StateId, refuse_effects
from grl.moves.ordering import QUIET, SQUARE, Ordering
from grl.turn import Letter, hand_of

CLASSES = {"e": "empty", "w": "own", "p": "opponent", "n": "neutral"}
BARE = "bare"
ONTO = "onto"
"""The static relation of all steps onto pieces: it shows a planner where a pending one may lead."""
START = StateId(0)
PLAIN = Atom("plain", ())
"""No step is pending or has just been settled."""
ACTED = Atom("acted", ())
"""An empty hand has done something: going about alone is no segment."""
HERE, THERE, FROM = 0, 1, 2


def position_problem(model: Model, position: Position) -> tuple[Domain, list[Fact]]:
    """The domain of the mover's turns in `position`, and the facts that hold there.

    Raises `ModelError` where turns have effects.
    """
    refuse_effects(model, "a planning problem")
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
        hands = {held for dfa in self.automata for held in self._hands(dfa)}
        self.types = {type_name(self.equipment, held) for held in hands}
        self.hand = hand_of(position.stock, self.mover)
        self.ordering = Ordering(model, self.mover)

    def facts(self) -> Iterator[Fact]:
        """What holds before the turn."""
        names = self.board.names
        yield from ((name,) for name in ("room_0", BARE, PLAIN.predicate))
        yield from self.ordering.facts()
        for key, count in self.hand.items():
            yield (f"stock_{self.piece[key]}_{count}",)
        for square in self.board.squares:
            content = self.position.cells[square]
            yield CLASSES[self.view[content]], names[square]
            if content != EMPTY:
                yield f"holds_{self.piece[content]}", names[square]
            for letter in {x for dfa in self.automata for _, x, _ in dfa.transitions}:
                if not letter.moves:
                    continue
                for there in letter.landings(self.board, square):
                    yield _displaced(letter), names[square], names[there]
                    if letter.onto_piece:
                        yield ONTO, names[square], names[there]

    def schemas(self) -> Iterator[Schema]:
        """An action for everything that may happen within a turn."""
        for dfa in self.automata:
            if dfa.key.role is not Role.APPEARED:
                yield from self._begin(dfa)
            for held in self._hands(dfa):
                for count, (source, letter, target) in enumerate(dfa.transitions):
                    there = self._state(dfa.key, target)
                    name = f"{self.number[dfa.key]}_{count}_{self._named(held)}"
                    needs = self._in_control(dfa, source, held)
                    yield from self._letter(dfa, letter, name, needs, there, held)
                for state in sorted(dfa.accepting | dfa.continuing):
                    yield from self._end(dfa, state, held)
        yield from self._settled()
        yield from self.ordering.schemas()

    def _hands(self, dfa: Dfa) -> list[str]:
        """What the hand may hold under `dfa`: nothing after a removal that began the segment."""
        if dfa.key.holds == EMPTY:
            return [""]
        removes = any(letter.removes for letter, _ in dfa.successors[START])
        bare = removes and dfa.key.role is not Role.APPEARED
        return [dfa.key.holds, ""] if bare else [dfa.key.holds]

    def _named(self, held: str) -> str:
        return self.piece[held] if held else BARE

    def _held(self, held: str) -> Atom:
        return Atom(f"held_{self.piece[held]}" if held else BARE, ())

    def _state(self, key: AutomatonKey, state: int) -> Atom:
        return Atom(f"in_{self.number[key]}_{state}", ())

    def _in_control(self, dfa: Dfa, state: int, held: str) -> tuple[Atom, Atom, Atom]:
        return self._state(dfa.key, state), Atom("hand", (HERE,)), self._held(held)

    def _begin(self, dfa: Dfa) -> Iterator[Schema]:
        """Take up what lies on a square; a word that begins with a removal removes it instead."""
        key, holds, number = dfa.key, dfa.key.holds, self.number[dfa.key]
        first = key.role is Role.FIRST
        turn = [self.ordering.turn(holds)] if first and self.ordering.on else []
        here = Atom("hand", (HERE,))
        for room in [0] if first else range(1, self.model.segments):
            begun, used = Atom(f"room_{room}", ()), Atom(f"used_{room + 1}", ())
            ways = f"{number}_{room}"
            added = (here, used, *turn)
            start = self._state(key, START)
            if holds == EMPTY:
                on = Atom(CLASSES["e"], (HERE,))
                yield Schema(f"touch_{ways}", (SQUARE,), (begun, on), (begun,), (start, *added))
                continue
            on, bare = Atom(f"holds_{self.piece[holds]}", (HERE,)), Atom(BARE, ())
            gone, put = self._emptied(holds, HERE)
            adds = (start, *added, self._held(holds), *put)
            yield Schema(f"lift_{ways}", (SQUARE,), (begun, on), (begun, bare, *gone), adds)
            for letter, state in dfa.successors[START]:
                if letter.removes:
                    removal = self.ordering.due(f"remove_{type_name(self.equipment, holds)}", HERE)
                    after = (self._state(key, state), *added, *put, *removal)
                    deletes = (begun, QUIET, *gone)
                    yield Schema(f"strike_{ways}", (SQUARE,), (begun, on), deletes, after)

    def _letter(
        self,
        dfa: Dfa,
        letter: Letter,
        name: str,
        needs: tuple[Atom, Atom, Atom],
        there: Atom,
        held: str,
    ) -> Iterator[Schema]:
        if letter.moves:
            yield from self._step(letter, name, needs, there, held)
        elif letter.removes:
            yield from self._remove(dfa, name, needs, there, held)
        elif letter.reserves:
            kept = self.ordering.due(KEEP, HERE)
            adds = (there, PLAIN, *_acting(dfa), *kept)
            yield Schema(f"keep_{name}", (SQUARE,), (*needs, QUIET), (needs[0], QUIET), adds)
        else:
            yield from self._appear(letter, name, needs, held)

    def _step(
        self, letter: Letter, name: str, needs: tuple[Atom, Atom, Atom], there: Atom, held: str
    ) -> Iterator[Schema]:
        """A step onto a piece is pending; one to an empty square completes it, or is a move."""
        before, here, _ = needs
        way = Atom(_displaced(letter), (HERE, THERE))
        fits = Atom(CLASSES[letter.on], (THERE,))
        held_type = type_name(self.equipment, held)
        needs_all = (*needs, way, fits)
        arrived = (there, Atom("hand", (THERE,)))
        two = (SQUARE, SQUARE)
        if letter.onto_piece:
            left = (before, here, QUIET, PLAIN)
            pending = Atom(f"pending_{held_type}", (HERE, THERE))
            yield Schema(f"step_{name}", two, (*needs_all, QUIET), left, (*arrived, pending))
            return
        moved = self.ordering.due(f"move_{held_type}", HERE, THERE)
        over = self.ordering.due(f"move_over_{held_type}", FROM, HERE, THERE)
        pending = Atom(f"pending_{held_type}", (FROM, HERE))
        yield Schema(
            f"step_{name}",
            two,
            (*needs_all, QUIET, PLAIN),
            (before, here, QUIET),
            (*arrived, *moved),
        )
        yield Schema(
            f"cross_{name}",
            (*two, SQUARE),
            (*needs_all, Atom(ONTO, (FROM, HERE)), pending),
            (before, here, pending),
            (*arrived, PLAIN, *over),
        )

    def _remove(
        self, dfa: Dfa, name: str, needs: tuple[Atom, Atom, Atom], there: Atom, held: str
    ) -> Iterator[Schema]:
        """What the hand has just stepped onto goes by that step, anything else by itself."""
        held_type = type_name(self.equipment, held)
        pending = Atom(f"pending_{held_type}", (THERE, HERE))
        for key, piece in self.piece.items():
            gone, put = self._emptied(key, HERE)
            all_needs = (*needs, Atom(f"holds_{piece}", (HERE,)))
            adds = (there, *_acting(dfa), *put)
            alone = self.ordering.due(f"remove_{type_name(self.equipment, key)}", HERE)
            taken = self.ordering.due(f"move_and_remove_{held_type}", THERE, HERE)
            yield Schema(
                f"remove_{name}_{piece}",
                (SQUARE,),
                (*all_needs, QUIET, PLAIN),
                (needs[0], QUIET, *gone),
                (*adds, *alone),
            )
            yield Schema(
                f"take_{name}_{piece}",
                (SQUARE, SQUARE),
                (*all_needs, Atom(ONTO, (THERE, HERE)), pending),
                (needs[0], pending, *gone),
                (*adds, PLAIN, *taken),
            )

    def _appear(
        self, letter: Letter, name: str, needs: tuple[Atom, Atom, Atom], held: str
    ) -> Iterator[Schema]:
        heir = AutomatonKey(self.mover, letter.piece, Role.APPEARED)
        if heir not in self.number:
            return
        stock = self.piece[letter.piece]
        counts = range(1, self.hand[letter.piece] + 1) if letter.piece in self.hand else [0]
        gone, put = self._put(held) if held else ([], [])
        due = self.ordering.due(f"appear_{type_name(self.equipment, letter.piece)}", HERE)
        for count in counts:
            has = [Atom(f"stock_{stock}_{count}", ())] if count else []
            left = [Atom(f"stock_{stock}_{count - 1}", ())] if count else []
            control = (self._state(heir, START), self._held(letter.piece))
            yield Schema(
                f"appear_{name}_{count}",
                (SQUARE,),
                (*needs, QUIET, *has),
                (needs[0], self._held(held), QUIET, *has, *gone),
                (*control, PLAIN, *left, *put, *due),
            )

    def _end(self, dfa: Dfa, state: int, held: str) -> Iterator[Schema]:
        """Put the hand down; the turn ends, or another segment may begin."""
        gone, put = self._put(held) if held else ([], [])
        needs = (*self._in_control(dfa, state, held), QUIET, *_acting(dfa))
        for used in range(1, self.model.segments + 1):
            mark = Atom(f"used_{used}", ())
            name = f"{self.number[dfa.key]}_{state}_{self._named(held)}_{used}"
            deletes = (*needs, mark, *gone)
            down = (Atom(BARE, ()), *put)
            if state in dfa.accepting:
                adds = (*down, self.ordering.closing())
                yield Schema(f"end_{name}", (SQUARE,), (*needs, mark), deletes, adds)
            if state in dfa.continuing and used < self.model.segments:
                adds = (*down, QUIET, PLAIN, Atom(f"room_{used}", ()))
                yield Schema(f"next_{name}", (SQUARE,), (*needs, mark), deletes, adds)

    def _settled(self) -> Iterator[Schema]:
        """A pending step turns out to be a plain move; a removal or a step over is past then."""
        for held_type in sorted(self.types):
            pending = Atom(f"pending_{held_type}", (HERE, THERE))
            moved = self.ordering.due(f"move_{held_type}", HERE, THERE)
            two = (SQUARE, SQUARE)
            needs = (Atom(ONTO, (HERE, THERE)), pending)
            yield Schema(f"settle_{held_type}", two, needs, (pending,), tuple(moved))

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
    """The name of the static relation of a displacement: ``by_1_m2``, or ``apart`` of a flight."""
    if letter.fly:
        return "apart"
    return "by_" + "_".join(str(x).replace("-", "m") for x in (letter.dx, letter.dy))


def _acting(dfa: Dfa) -> tuple[Atom, ...]:
    """What a segment from an empty square has to show before the hand is put down."""
    alone = dfa.key.holds == EMPTY and dfa.key.role is not Role.APPEARED
    return (ACTED,) if alone else ()
