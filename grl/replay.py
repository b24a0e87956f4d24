"""One play of a trace file, checked turn by turn and turned into positions.

Each turn, played or listed as legal, is carried out on the position before it and the content of
every square that it names is compared with the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from grl.board import Equipment, Player, Position
from grl.errors import GrlError, TraceError
from grl.interpreter import Interpreter, Reading, is_foreign
from grl.tracejson import (
    Header,
    list_of,
    need,
    object_of,
    position_dict,
    read_position,
    shown,
    text_of,
    whole_of,
    wrong,
)
from grl.trail import Past, after
from grl.turn import Effect, Mismatch, carry_out, effect_of, hand_of, misfit, stock_with

End = Literal["terminal", "stopped"]
_NAME_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of a play.

    `position` is the one before it, its player to move the one who plays `turn`; `legal` lists
    all legal turns where the file does.
    """

    position: Position
    turn: str
    legal: tuple[str, ...] | None = None

    @property
    def by(self) -> Player:
        """Who plays the turn."""
        return self.position.to_move


@dataclass(frozen=True, slots=True)
class Play:
    """One played game: its plies, the position after the last, and how it ended.

    `line` is its line in the file. `goals` (0..100 for each player) is there exactly when the
    rules ended the game.
    """

    id: str
    line: int
    plies: tuple[Ply, ...]
    final: Position
    end: End
    goals: Mapping[Player, int] | None

    def to_dict(self, initial: Position) -> dict[str, Any]:
        """The play as it stands in a trace file whose header's position is `initial`."""
        first = self.plies[0].position if self.plies else self.final
        record: dict[str, Any] = {"id": self.id, "turns": []}
        if first != initial:
            record["initial"] = position_dict(first)
        mover = first.to_move
        for ply in self.plies:
            turn: dict[str, Any] = {"turn": ply.turn}
            if ply.by != mover:
                turn["by"] = ply.by
            if ply.legal is not None:
                turn["legal"] = list(ply.legal)
            record["turns"].append(turn)
            mover = first.equipment.next_player(ply.by)
        record["end"] = self.end
        if self.goals is not None:
            record["goals"] = dict(self.goals)
        return record


Tolerant = Callable[[], bool]
"""Asked at a play's first turn that looks like another player's: is that this game's way?"""


class Replayer:
    """Checks the plays of one file; remembers the turns that it has read."""

    def __init__(self, header: Header) -> None:
        equipment = header.equipment
        self.header = header
        self.interpreter = Interpreter(equipment)
        self._next = {player: equipment.next_player(player) for player in equipment.players}
        self._seen = {
            player: str.maketrans({**view, "#": "#"}) for player, view in equipment.views.items()
        }

    def replay(
        self, record: dict[str, Any], line: int, tolerant: Tolerant
    ) -> tuple[Play | None, GrlError | None]:
        """The play as far as it is good, and what is wrong with the rest.

        No play at all comes back where not even its first position is known. The error lacks the
        file; it has line, game, ply, field and rows as far as they apply.
        """
        name = f"line {line}"
        plies: list[Ply] = []
        position = self.header.initial
        try:
            name = text_of(record.get("id", name), "id")
            turns = list_of(need(record, "turns", "a list of turns"), "turns")
            if "initial" in record:
                position = read_position(
                    object_of(record["initial"], "initial"), self.header.equipment
                )
        except GrlError as error:
            return None, error.at(line=line, game=shortened(name))
        final = position
        end: End = "stopped"
        goals = None
        flaw: GrlError | None = None
        try:
            for ply, after in self._walk(position, turns, tolerant):
                plies.append(ply)
                final = after
            end, goals = read_end(record, self.header.equipment)
        except GrlError as error:
            flaw = error.at(line=line, game=shortened(name))
        return Play(name, line, tuple(plies), final, end, goals), flaw

    def _walk(
        self, initial: Position, turns: list[Any], tolerant: Tolerant
    ) -> Iterator[tuple[Ply, Position]]:
        """The plies with the positions after them; raises at the first bad one."""
        equipment = self.header.equipment
        pieces, views = equipment.pieces, equipment.views
        known = self.interpreter.known
        position = initial
        mover = initial.to_move
        cells = list(initial.cells)
        moved = set(initial.moved)
        index = -1
        try:
            for index, item in enumerate(turns):
                if type(item) is not dict:
                    raise wrong(f"turns[{index}]", item, "an object with a turn")
                text = item.get("turn")
                if type(text) is not str:
                    entry = f"turns[{index}]"
                    text = text_of(need(item, "turn", "a turn", entry), f"{entry}.turn", "a turn")
                by = item.get("by", mover)
                if by != mover:
                    mover = self._other_mover(by, mover, index)
                    position = replace(position, to_move=mover)
                reading = known.get(text) or self.interpreter.read(text)
                view = views[mover]
                stock = position.stock
                hand = hand_of(stock, mover) if stock else {}
                try:
                    carry_out(reading.program, cells, view, moved, hand, pieces)
                except Mismatch as mismatch:
                    raise misfit(text, equipment, mismatch, position.cells) from None
                if hand:
                    stock = stock_with(stock, mover, hand)
                legal = None
                if "legal" in item:
                    legal = self._legal(item["legal"], position, f"turns[{index}].legal")
                    if text not in legal:
                        self._same_effect(reading, text, legal, position)
                if (
                    not reading.plain(position.cells, view)
                    and self._is_foreign(reading, legal, position)
                    and not tolerant()
                ):
                    raise self._not_his(text, position)
                ply = Ply(position, text, legal)
                mover = self._next[mover]
                position = Position(
                    equipment,
                    "".join(cells),
                    mover,
                    stock,
                    frozenset(moved),
                    text,
                    after(position.trail, Past(position.cells, ply.by, position.stock, text)),
                )
                yield ply, position
        except GrlError as error:
            raise error.at(
                ply=index + 1, field=f"turns[{index}].turn", rows=position.rows
            ) from None

    def _other_mover(self, by: object, mover: Player, index: int) -> Player:
        """Checks a ``by`` that does not follow from the turn order."""
        field = f"turns[{index}].by"
        players = self.header.equipment.players
        if text_of(by, field, "a player") not in players:
            raise TraceError(
                "unknown player", found=shown(by), expected=f"one of {list(players)}"
            ).at(field=field)
        if index == 0:
            raise TraceError(
                "the first turn is not by the player whom the position has to move",
                found=shown(by),
                expected=shown(mover),
            ).at(field=field)
        return Player(str(by))

    def _legal(self, value: object, position: Position, field: str) -> tuple[str, ...]:
        """The checked list of legal turns at `position`."""
        texts = list_of(value, field, "a list of turns")
        mover = position.to_move
        seen = position.cells.translate(self._seen[mover])
        hand = hand_of(position.stock, mover)
        known = self.interpreter.known
        for number, text in enumerate(texts):
            if type(text) is not str:
                raise wrong(f"{field}[{number}]", text, "a turn")
            try:
                reading = known.get(text) or self.interpreter.read(text)
                demands = reading.demands
                if demands is None or not demands.met(seen, hand):
                    self._effect(reading, text, position)
            except GrlError as error:
                raise error.at(field=f"{field}[{number}]") from None
        if len(set(texts)) != len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise TraceError(
                "a turn stands twice among the legal ones",
                found=shown(twice),
                expected="each legal turn once",
            ).at(field=field)
        return tuple(texts)

    def _effect(self, reading: Reading, text: str, position: Position) -> Effect:
        """`Turn.effect` of a turn that is compiled already; raises `IllegalTurn`."""
        equipment = self.header.equipment
        mover = position.to_move
        cells = list(position.cells)
        hand = hand_of(position.stock, mover)
        try:
            carry_out(
                reading.program,
                cells,
                equipment.views[mover],
                set(position.moved),
                hand,
                equipment.pieces,
            )
        except Mismatch as mismatch:
            raise misfit(text, equipment, mismatch, position.cells) from None
        stock = stock_with(position.stock, mover, hand)
        return effect_of(reading.turn.start(equipment.board), "".join(cells), stock)

    def _same_effect(
        self, reading: Reading, text: str, legal: tuple[str, ...], position: Position
    ) -> None:
        """Raises unless a legal turn has the first origin and the effect of the one played."""
        effect = self._effect(reading, text, position)
        for other in legal:
            candidate = self.interpreter.read(other)
            same_origin = candidate.turn.origin == reading.turn.origin
            if same_origin and self._effect(candidate, other, position) == effect:
                return
        raise TraceError(
            f"the turn '{text}' is not among the legal ones",
            expected="one of the legal turns, or one with the same first square and effect",
            found=f"{len(legal)} others: {shown(list(legal))}",
        )

    def _is_foreign(
        self, reading: Reading, legal: tuple[str, ...] | None, position: Position
    ) -> bool:
        mover = position.to_move
        return is_foreign(reading, position, mover) and all(
            is_foreign(self.interpreter.read(text), position, mover) for text in legal or ()
        )

    def _not_his(self, text: str, position: Position) -> TraceError:
        return TraceError(
            "turn of the wrong player",
            found=f"'{text[:_NAME_SHOWN]}', which lifts only pieces of other players",
            expected=f"a turn of {position.to_move}",
        )


def read_end(
    record: Mapping[str, Any], equipment: Equipment
) -> tuple[End, dict[Player, int] | None]:
    """How a play ended: goals for each player exactly when the rules ended it."""
    end = record.get("end", "terminal")
    goals = record.get("goals")
    if end not in ("terminal", "stopped"):
        raise wrong("end", end, '"terminal" or "stopped"')
    if goals is None and end == "stopped":
        return "stopped", None
    if "goals" not in record:
        raise TraceError("missing key", expected='goals for each player, or "end": "stopped"').at(
            field="goals"
        )
    checked = {}
    for name, goal in object_of(goals, "goals", "an object of goals by player").items():
        if name not in equipment.players:
            raise TraceError(
                "goal of an unknown player",
                found=shown(name),
                expected=f"one of {list(equipment.players)}",
            ).at(field="goals")
        field = f"goals.{name}"
        if not 0 <= whole_of(goal, field, "a whole number from 0 to 100") <= 100:
            raise wrong(field, goal, "a whole number from 0 to 100")
        checked[Player(name)] = goal
    missing = [player for player in equipment.players if player not in checked]
    if missing:
        raise TraceError(
            f"no goal for {shown(missing[0])}",
            found=shown(goals),
            expected=f"a goal for each of {list(equipment.players)}",
        ).at(field="goals")
    return ("terminal", checked) if end == "terminal" else ("stopped", None)


def shortened(name: str) -> str:
    """A play's id, shortened."""
    return name if len(name) <= _NAME_SHOWN else name[: _NAME_SHOWN - 1] + "…"
