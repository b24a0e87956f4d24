"""Turns of a model found by trying every word: slow, short, and apart from the search.

Words are spelled letter by letter along the automata without any memory of where they have been;
each prefix is carried out from the position's own board. Bounded by a number of letters.
"""

from __future__ import annotations

from collections.abc import Iterator

from grl.board import EMPTY, Position
from grl.errors import IllegalTurn
from grl.model import AutomatonKey, Dfa, Machine, Model, Role, StateId
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
    zero = {(m.mover, m.piece): m for m in model.machines if m.sort == "zero"}
    found: dict[Effect, Turn] = {}
    for turn in _turns(model, position, (), letters):
        holds = position.cells[position.board.square(turn.segments[0].origin)]
        machine = zero.get((position.to_move, holds))
        if locm and machine is not None and not ordered(machine, action_names(position, turn)):
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
            if letter.on == "a":
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
    """The names of the actions of a turn, after the table of the GRL paper (section 3.3).

    A step onto a piece is one action with the removal or the step that follows it.
    """
    pieces = position.equipment.pieces

    def named(piece: str) -> str:
        return pieces[piece].type if piece and piece != EMPTY else "hand"

    names = []
    for at, segment in enumerate(turn.segments):
        cells = after(position, turn.segments[:at])
        assert cells is not None
        board = {name: cells[i] for i, name in enumerate(position.board.names)}
        held = board[segment.origin] if segment.letters[0].on != "d" else EMPTY
        if held != EMPTY:
            board[segment.origin] = EMPTY
        stepped_onto = ""
        for i, letter in enumerate(segment.letters):
            here = hand_square(position, cut_short(segment, i + 1))
            if letter.on == "d":
                removed = board[here]
                names.append(stepped_onto and f"move_and_remove_{named(held)}")
                names[-1] = names[-1] or f"remove_{named(removed)}"
                board[here] = EMPTY
                stepped_onto = ""
            elif letter.on == "e":
                verb = "move_over" if stepped_onto else "move"
                names.append(f"{verb}_{named(held)}")
                stepped_onto = ""
            else:
                if stepped_onto:
                    names.append(f"move_{named(held)}")
                stepped_onto = ""
                if letter.on == "a":
                    names.append(f"appear_{named(letter.piece)}")
                    if held != EMPTY:
                        board[here] = held
                    held = letter.piece
                elif letter.on == "r":
                    names.append(f"keep_{named(letter.piece)}")
                else:
                    stepped_onto = here
        if stepped_onto:
            names.append(f"move_{named(held)}")
    return names


def cut_short(segment: Segment, length: int) -> Segment:
    letters = segment.letters[:length]
    return Segment(segment.origin, letters, segment.targets[: sum(x.fly for x in letters)])


def ordered(machine: Machine, names: list[str]) -> bool:
    """Whether a zero machine goes through these actions from its beginning to its end."""
    states = set(machine.initial)
    for name in names:
        states = {t for s, action, _, t in machine.transitions if s in states and action == name}
    return bool(states & machine.final)
