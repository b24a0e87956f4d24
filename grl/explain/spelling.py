"""A turn read letter by letter: by the automata, on the board, by the machines that order it.

The search of `grl.moves.search` only finds what fits; here a given turn is followed to where it
falls out, and what was expected there is said. Both walk alike: the same automaton has control,
the same letters fit, the same actions are followed.
"""

from __future__ import annotations

from dataclasses import dataclass

from grl.board import EMPTY, Position, Square
from grl.errors import BoardError
from grl.locm.actions import Action, Pending, advance, flush
from grl.logic.contents import exactly
from grl.model import AutomatonKey, Dfa, Role, StateId
from grl.moves.search import START, Searcher
from grl.moves.turn_order import Order
from grl.rules.english.sentences import English
from grl.turn import CONTENT_WORDS, Letter, Segment, Turn, hand_of


@dataclass(frozen=True)
class Step:
    """A letter as written, the square under the hand after it, and who reads it.

    `state` is that of the automaton after the letter, None where it has no such letter or no
    automaton has control; `square` is empty where the letter doesn't fit the board.
    """

    letter: str
    square: str
    automaton: str
    state: int | None


@dataclass(frozen=True)
class Stretch:
    """A segment as far as it could be followed; `holds` is what lies on its origin by then."""

    origin: str
    holds: str
    automaton: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Spelling:
    """A turn as automata, board and machines take it.

    `language` says where the word falls out of the language of its automaton, `board` where the
    turn doesn't fit the board, `order` which action the machines refuse; each is empty where
    there is nothing to say. Nothing is read beyond what doesn't fit the board.
    """

    segments: tuple[Stretch, ...]
    actions: tuple[str, ...]
    language: str
    board: str
    order: str

    @property
    def fits(self) -> bool:
        """Whether the turn is pseudo-legal."""
        return not (self.language or self.board or self.order)


def spelling_of(searcher: Searcher, position: Position, turn: Turn) -> Spelling:
    """How a turn of at least one segment is read on a position."""
    walk = _Walk(searcher, position)
    walk.follow(turn)
    return Spelling(
        tuple(walk.segments), tuple(walk.orders.names), walk.language, walk.board, walk.orders.fault
    )


class _Walk:
    """One reading: the board as it now is, who has control, and what was found wrong."""

    def __init__(self, searcher: Searcher, position: Position) -> None:
        self.searcher = searcher
        self.equipment = position.equipment
        self.english = English(position.equipment)
        self.mover = position.to_move
        self.view = position.equipment.views[position.to_move]
        self.cells = list(position.cells)
        self.hand = hand_of(position.stock, position.to_move)
        self.segments: list[Stretch] = []
        self.steps: list[Step] = []
        self.language = self.board = ""
        self.orders = _Orders(None, ())
        self.dfa: Dfa | None = None
        self.state: StateId | None = None
        self.held = ""

    def follow(self, turn: Turn) -> None:
        """Read all segments, until one doesn't fit the board."""
        most = self.searcher.model.segments
        if len(turn.segments) > most:
            some = "one segment" if most == 1 else f"{most} segments"
            self.language = f"no turn was seen to have more than {some}"
        for number, segment in enumerate(turn.segments):
            self._segment(segment, number, last=number == len(turn.segments) - 1)
            if self.board:
                return
        self.orders.complete()

    def _segment(self, segment: Segment, number: int, *, last: bool) -> None:
        names = self.equipment.board.names
        try:
            square = self.equipment.board.square(segment.origin)
        except BoardError as error:
            self.board = error.message
            return
        holds = self.cells[square]
        if number == 0:
            order = self.searcher.orders.get((self.mover, holds))
            self.orders = _Orders(order, names)
        self._take_control(holds, Role.LATER if number else Role.FIRST, names[square])
        self.steps, self.held = [], ""
        automaton = "" if self.dfa is None else str(self.dfa.key)
        if segment.lifts and holds != EMPTY:
            self.cells[square] = EMPTY
            self.held = holds
        spelled = zip(segment.letters, segment.flights, segment.spelled(), strict=True)
        for letter, flight, shown in spelled:
            target = self._target(letter, square, flight)
            if target is not None:
                self._letter(letter, square, target)
                square = target
            reader = "" if self.dfa is None else str(self.dfa.key)
            here = "" if target is None else names[target]
            self.steps.append(Step(shown, here, reader, self.state))
            if target is None:
                self.board = f"{shown} doesn't fit: {self.board}"
                break
            if letter.appears:
                self._take_control(letter.piece, Role.APPEARED, names[square])
        self.segments.append(Stretch(segment.origin, holds, automaton, tuple(self.steps)))
        if not self.board:
            self._put_down(segment, square, last)

    def _put_down(self, segment: Segment, square: Square, last: bool) -> None:
        """End a segment: what the hand holds lies on `square` again."""
        if not self.held and all(letter.moves for letter in segment.letters):
            self.board = f"the segment from {segment.origin} changes nothing, for the hand is empty"
            return
        self.orders.follow(flush(self.equipment, self.orders.pending), None)
        if self.held:
            self.cells[square] = self.held
        if self.dfa is not None and self.state is not None and not self.language:
            key, state = self.dfa.key, self.state
            if last and state not in self.dfa.accepting:
                self.language = f"a turn doesn't end in state {state} of {key}"
            elif not last and state not in self.dfa.continuing:
                self.language = f"no segment follows state {state} of {key}"

    def _take_control(self, holds: str, role: Role, square: str) -> None:
        key = AutomatonKey(self.mover, holds, role)
        self.dfa = self.searcher.by_key.get(key)
        lost = self.state is None and role is Role.APPEARED and bool(self.language)
        self.state = None if self.dfa is None or lost else START
        if self.dfa is None and not self.language:
            thing = self.english.thing(exactly(holds))
            what = {
                Role.FIRST: f"no turn of {self.mover} begins on {thing}",
                Role.LATER: f"no turn of {self.mover} goes on with a segment from {thing}",
                Role.APPEARED: f"{thing} was never seen to appear in a turn of {self.mover}",
            }[role]
            self.language = f"{what} ({square})"

    def _target(self, letter: Letter, square: Square, flight: str) -> Square | None:
        """Where `letter` takes the hand; None, with `board` set, where it doesn't fit."""
        board = self.equipment.board
        if letter.fly:
            try:
                target = board.square(flight)
            except BoardError as error:
                self.board = error.message
                return None
            if target == square:
                self.board = "a flight goes to another square"
                return None
            return self._stepped(letter, target)
        if letter.appears:
            if self.hand.get(letter.piece, 1) < 1:
                thing = self.english.things(exactly(letter.piece))
                self.board = f"{self.mover} has no {thing} in hand"
                return None
            if letter.piece not in self.equipment.pieces:
                self.board = f"there is no piece {letter.piece!r}"
                return None
            return square
        if letter.reserves:
            return square
        if letter.removes:
            if self.cells[square] == EMPTY:
                self.board = f"there is nothing to remove on {board.names[square]}"
                return None
            return square
        found = board.step(square, letter.dx, letter.dy)
        if found is None:
            link = "" if board.links is None else ", or there is no link"
            self.board = f"from {board.names[square]} it leads off the board{link}"
            return None
        return self._stepped(letter, found)

    def _stepped(self, letter: Letter, target: Square) -> Square | None:
        content = self.cells[target]
        if self.view.get(content) == letter.on:
            return target
        thing = self.english.thing(exactly(content))
        name = self.equipment.board.names[target]
        lies = "is empty" if content == EMPTY else f"holds {thing}"
        self.board = f"{name} {lies}, not {CONTENT_WORDS[letter.on]}"
        return None

    def _letter(self, letter: Letter, source: Square, target: Square) -> None:
        """Carry out a letter that fits: the automaton, the machines, the board."""
        if self.dfa is not None and self.state is not None:
            after = self.dfa.steps.get((self.state, letter))
            if after is None and not self.language:
                known = ", ".join(str(x) for x, _ in self.dfa.successors[self.state])
                self.language = (
                    f"state {self.state} of {self.dfa.key} has no letter {letter}, only {known}"
                    if known
                    else f"state {self.state} of {self.dfa.key} has no letter {letter} and no other"
                )
            self.state = after
        under = self.cells[target]
        self.orders.follow(
            *advance(self.equipment, self.orders.pending, letter, self.held, source, target, under)
        )
        if letter.removes:
            self.cells[target] = EMPTY
        elif letter.reserves:
            self.hand[letter.piece] = self.hand.get(letter.piece, 0) + 1
        elif letter.appears:
            if self.held:
                self.cells[target] = self.held
            if letter.piece in self.hand:
                self.hand[letter.piece] -= 1
            self.held = letter.piece


class _Orders:
    """The zero machines of a turn and its ties, action by action; the first fault is kept."""

    def __init__(self, order: Order | None, squares: tuple[str, ...]) -> None:
        self.order = order
        self.squares = squares
        self.states: list[StateId | None] = [None] * len(order.zero) if order else []
        self.pending: Pending | None = None
        self.done: list[Action] = []
        self.fault = ""

    @property
    def names(self) -> list[str]:
        """The actions so far."""
        return [self._said(action) for action in self.done]

    def _said(self, action: Action) -> str:
        return f"{action.name}({', '.join(self.squares[s] for s in action.args)})"

    def follow(self, actions: tuple[Action, ...], pending: Pending | None) -> None:
        """Take `actions`, until one is refused."""
        self.pending = pending
        for action in actions:
            if not self.fault and self.order is not None:
                self.fault = self._tied(action) or self._moved(action)
            self.done.append(action)

    def complete(self) -> None:
        """The turn is over, if the machines let it be."""
        for machine, state in zip(self.order.zero if self.order else (), self.states, strict=True):
            ended = state in machine.final or (state is None and not machine.whole)
            if not ended and not self.fault:
                last = self._said(self.done[-1]) if self.done else "nothing"
                self.fault = f"the machine of {_named(machine.mover, machine.piece)} can't end " + (
                    f"after {last}"
                )

    def _moved(self, action: Action) -> str:
        assert self.order is not None
        for number, machine in enumerate(self.order.zero):
            if machine.whole or action.name in machine.actions:
                before = self.states[number]
                self.states[number] = machine.after(before, action.name)
                if self.states[number] is None:
                    when = "at the start" if before is None else f"in state {before}"
                    who = _named(machine.mover, machine.piece)
                    return f"the machine of {who} refuses {self._said(action)} {when}"
        return ""

    def _tied(self, action: Action) -> str:
        assert self.order is not None
        latest = {before.name: before for before in self.done}
        recent = {before.name: latest[before.name] for before in reversed(self.done)}
        for before in recent.values():
            for tie in self.order.ties.get(action.name, ()):
                if tie.before == before.name and tie.broken(before.args, action.args):
                    square = self.squares[before.args[tie.first - 1]]
                    left = self._said(before)
                    return f"{self._said(action)} must take up {square}, as {left} left it"
            if before.name == action.name:
                break
        return ""


def _named(mover: str, piece: str) -> str:
    return f"{mover} turns on " + ("an empty square" if piece == EMPTY else piece)
