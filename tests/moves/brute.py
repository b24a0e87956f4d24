"""Turns of a model found by trying every word: slow, short, and apart from the search.

Words are spelled letter by letter along the automata without any memory of where they have been;
each prefix is carried out from the position's own board. Bounded by a number of letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grl.board import EMPTY, Position
from grl.errors import IllegalTurn
from grl.model import AutomatonKey, Dfa, Machine, Model, Role, StateId, Tie
from grl.turn import (
    PUT,
    Letter,
    Mismatch,
    Segment,
    Turn,
    carry_out,
    compile_turn,
    hand_of,
    play,
)

Effect = tuple[str, object]
"""The first origin square, and what decides whether two turns are one."""


def effect(position: Position, turn: Turn) -> Effect:
    origin = turn.segments[0].origin if turn.segments else "pass"
    return origin, play(position, turn).outcome


def brute_effects(
    model: Model, position: Position, letters: int, *, locm: bool = True
) -> dict[Effect, Turn]:
    """Every effect that a turn of up to `letters` letters has, with such a turn; no passes."""
    found: dict[Effect, Turn] = {}
    for turn in _turns(model, position, (), letters):
        holds = position.cells[position.board.square(turn.segments[0].origin)]
        key = position.to_move, holds
        mine = [m for m in model.machines if (m.mover, m.piece) == key and m.binding]
        actions = actions_of(position, turn)
        if locm and not all(ordered(machine, actions) for machine in mine):
            continue
        try:
            found.setdefault(effect(position, turn), turn)
        except IllegalTurn:
            # A segment that changes nothing.
            continue
    return found


def _turns(
    model: Model, position: Position, done: tuple[Segment, ...], room: int
) -> Iterator[Turn]:
    """All turns that begin with the segments `done`."""
    board = position.board
    cells = after(position, done)
    if cells is None or len(done) == model.segments:
        return
    role = Role.LATER if done else Role.FIRST
    for square in board.squares:
        dfa = model.automaton.get(AutomatonKey(position.to_move, cells[square], role))
        if dfa is None:
            continue
        start = Segment(board.names[square], ())
        for segment, ends, goes_on in _segments(model, position, done, start, dfa, 0, room):
            whole = (*done, segment)
            if ends:
                yield Turn(whole)
            if goes_on:
                yield from _turns(model, position, whole, room - len(segment.letters))


def _segments(
    model: Model,
    position: Position,
    done: tuple[Segment, ...],
    so_far: Segment,
    dfa: Dfa,
    state: int,
    room: int,
) -> Iterator[tuple[Segment, bool, bool]]:
    """Segments from `so_far` on, and whether the turn may end or go on after each."""
    for source, letter, target in dfa.transitions:
        if source != state or len(so_far.letters) == room:
            continue
        for longer in _spelled(position, so_far, letter):
            if not fits(position, done, longer):
                continue
            heir: Dfa | None = dfa
            state_after = int(target)
            if letter.appears:
                key = AutomatonKey(position.to_move, letter.piece, Role.APPEARED)
                heir, state_after = model.automaton.get(key), 0
            if heir is None:
                continue
            at = StateId(state_after)
            yield longer, at in heir.accepting, at in heir.continuing
            yield from _segments(model, position, done, longer, heir, state_after, room)


def _spelled(position: Position, so_far: Segment, letter: Letter) -> Iterator[Segment]:
    letters = (*so_far.letters, letter)
    if not letter.fly:
        yield Segment(so_far.origin, letters, so_far.targets)
        return
    here = hand_square(position, so_far)
    for square in position.board.squares:
        name = position.board.names[square]
        if name != here:
            yield Segment(so_far.origin, letters, (*so_far.targets, name))


def hand_square(position: Position, segment: Segment) -> str:
    """Where the hand is after the letters of a segment."""
    if not segment.letters:
        return segment.origin
    return position.board.names[compile_turn(Turn((segment,)), position.board)[-1].square]


def fits(position: Position, done: tuple[Segment, ...], segment: Segment) -> bool:
    """Whether the turn can be carried out that far, the piece still in the hand."""
    return after(position, (*done, segment), put=False) is not None


def after(position: Position, segments: tuple[Segment, ...], *, put: bool = True) -> str | None:
    """The board after some segments, or None; with `put` off the last piece stays in the hand."""
    if not segments:
        return position.cells
    equipment = position.equipment
    cells = list(position.cells)
    try:
        program = compile_turn(Turn(segments), equipment.board)
        assert program[-1].code == PUT
        carry_out(
            program if put else program[:-1],
            cells,
            equipment.views[position.to_move],
            set(),
            hand_of(position.stock, position.to_move),
            equipment.pieces,
        )
    except (Mismatch, IllegalTurn):
        return None
    return "".join(cells)


def action_names(position: Position, turn: Turn) -> list[str]:
    """The names of the actions of a turn."""
    return [name for name, _ in actions_of(position, turn)]


def actions_of(position: Position, turn: Turn) -> list[tuple[str, tuple[str, ...]]]:
    """The actions of a turn with their squares, after the table of the GRL paper (section 3.3).

    A step onto a piece is one action with the removal or the step that follows it.
    """
    pieces = position.equipment.pieces

    def named(piece: str) -> str:
        return pieces[piece].type if piece and piece != EMPTY else "hand"

    found: list[tuple[str, tuple[str, ...]]] = []
    for at, segment in enumerate(turn.segments):
        cells = after(position, turn.segments[:at])
        assert cells is not None
        board = {name: cells[i] for i, name in enumerate(position.board.names)}
        held = board[segment.origin] if segment.lifts else EMPTY
        if held != EMPTY:
            board[segment.origin] = EMPTY
        stepped_onto = ""
        here = stood = segment.origin
        for i, letter in enumerate(segment.letters):
            before = here
            here = hand_square(position, cut_short(segment, i + 1))
            if letter.removes:
                removed = board[here]
                if stepped_onto:
                    found.append((f"move_and_remove_{named(held)}", (stood, here)))
                else:
                    found.append((f"remove_{named(removed)}", (here,)))
                board[here] = EMPTY
                stepped_onto = ""
            elif letter.on == "e":
                if stepped_onto:
                    found.append((f"move_over_{named(held)}", (stood, stepped_onto, here)))
                else:
                    found.append((f"move_{named(held)}", (before, here)))
                stepped_onto = ""
            else:
                if stepped_onto:
                    found.append((f"move_{named(held)}", (stood, stepped_onto)))
                stepped_onto = ""
                if letter.appears:
                    found.append((f"appear_{named(letter.piece)}", (here,)))
                    if held != EMPTY:
                        board[here] = held
                    held = letter.piece
                elif letter.reserves:
                    found.append(("keep", (here,)))
                else:
                    stepped_onto, stood = here, before
        if stepped_onto:
            found.append((f"move_{named(held)}", (stood, stepped_onto)))
    return found


def cut_short(segment: Segment, length: int) -> Segment:
    letters = segment.letters[:length]
    return Segment(segment.origin, letters, segment.targets[: sum(x.fly for x in letters)])


def ordered(machine: Machine, actions: list[tuple[str, tuple[str, ...]]]) -> bool:
    """Whether a machine allows these actions from its beginning to its end, ties included."""
    if not all(kept(tie, actions) for tie in machine.ties):
        return False
    seen = {action for _, action, _, _ in machine.transitions}
    names = [name for name, _ in actions if machine.whole or name in seen]
    if machine.sort != "zero" or not (names or machine.whole):
        return True
    states = set(machine.initial)
    for name in names:
        states = {t for s, action, _, t in machine.transitions if s in states and action == name}
    return bool(states & machine.final)


def kept(tie: Tie, actions: list[tuple[str, tuple[str, ...]]]) -> bool:
    """Whether the two squares are one wherever the second action follows the first of the two."""
    both = [(name, args) for name, args in actions if name in (tie.before, tie.after)]
    return all(
        one[tie.first - 1] == two[tie.second - 1]
        for (before, one), (after_it, two) in pairwise(both)
        if (before, after_it) == (tie.before, tie.after)
    )
