"""Games that OpenSpiel plays, at random or as recorded: its states show boards, and turns follow.

A game of the package gives actions, which are numbers, and prints its states. A turn here is all
actions until another player is to act; what it does is what changes on the board that is printed.
Whose the pieces are shows in random games: they are their players' who bring them somewhere. So
does what players hold, where a number beside the board says it (`grl.importers.holdings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from grl.board import EMPTY
from grl.errors import GrlError, Place
from grl.importers.differences import Differences, Shown
from grl.importers.holdings import Step, holdings_of, numbers_of
from grl.importers.layouts import Layout
from grl.importers.placements import Alphabet, is_placement, shown, shown_sfen
from grl.importers.records import RecordError, decoded
from grl.importers.referee import Referee, library, misfit
from grl.importers.refereed import Written
from grl.traceio import Lines

_SAMPLES = 40
_TEXTS = 2_000
_SURE = 0.9
_MOST_TURNS = 100_000
_REMEMBERED = 1 << 14


class SpielReferee(Referee[Any]):
    """A game by the name that the package has for it, with parameters, ``breakthrough(rows=6)``.

    A move is the numbers of its actions. Raises `GrlError` for a game that the package doesn't
    know, of chance or hidden information, or whose boards can't be seen; `MissingExtra` without it.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self._package = library("pyspiel", "openspiel", "open_spiel")
        self._game = _load(self._package, name)
        self.name = name
        self._seed = seed
        self.players = tuple(f"player{i + 1}" for i in range(self._game.num_players()))
        start = self._game.new_initial_state()
        first = str(start)
        self._first = first.split()[1] if is_placement(first) else ""
        # Upper case is who moves first, whom some games number last.
        begins = start.current_player()
        self._pair = self.players[begins], self.players[begins - 1]
        self._layout: Layout | None = None
        self._owners: dict[str, str | None] = {}
        self._held: dict[str, int] = {}
        if is_placement(first):
            letters = {c.upper() for c in first.split(maxsplit=1)[0] if c.isalpha()}
            self._alphabet = Alphabet.of(letters)
            self.types = self._alphabet.types({key: key.lower() for key in letters})
            self._sfen = len(first.split()) == 4 and self._first == "b"
            if self._sfen or "[" in first:
                plain = sorted(letters - {"K"})
                cases = zip(self._pair, (str.upper, str.lower), strict=True)
                self.stock = {player: [case(key) for key in plain] for player, case in cases}
        else:
            self._look()
        self._own = {
            player: [key for key in self._keys() if self.owner(key) == player]
            for player in self.players
        }

    def _keys(self) -> Sequence[str]:
        """The pieces that are known."""
        if self._layout is not None:
            return list(self._owners)
        return [case(key) for key in self.types for case in (str.upper, str.lower)]

    def start(self, setup: str | None) -> Any:
        if setup is not None:
            raise RecordError("position", found=setup, expected="the usual start")
        return self._game.new_initial_state()

    def shown(self, state: Any) -> Shown:
        text = str(state)
        mover = self.players[max(state.current_player(), 0)]
        if self._layout is not None:
            return Shown(self._rows(text), mover, self._hands(text))
        found = (
            shown_sfen(self._alphabet, text, self._pair)
            if self._sfen
            else shown(self._alphabet, text, self._pair, self._first)
        )
        return Shown(found.rows, mover, found.hands)

    def _hands(self, text: str) -> dict[str, dict[str, int]]:
        """What players hold, by the numbers beside the board."""
        if not self._held:
            return {}
        numbers = numbers_of(text)
        return {
            player: {key: numbers[place]}
            for player, place in self._held.items()
            for key in self.stock[player]
        }

    def moves(self, state: Any) -> Sequence[str]:
        if state.is_terminal():
            return ()
        mover, found = state.current_player(), []
        waiting = [(state, "")]
        while waiting:
            here, text = waiting.pop()
            for action in here.legal_actions():
                after, longer = here.child(action), f"{text} {action}".strip()
                if self.ends(after, mover):
                    found.append(longer)
                else:
                    waiting.append((after, longer))
            if len(found) > _MOST_TURNS:
                raise GrlError(f"a position of {self.name} with more than {_MOST_TURNS:,} turns")
        return found

    def ends(self, after: Any, mover: int) -> bool:
        """Whether a turn of `mover` is over; one who plays alone has a turn with each action."""
        return len(self.players) == 1 or after.is_terminal() or after.current_player() != mover

    def find(self, state: Any, text: str) -> str:
        here, mover = state, state.current_player()
        if state.is_terminal():
            raise RecordError("over", found=text)
        for word in text.split():
            if here.current_player() != mover or int(word) not in here.legal_actions():
                names = [here.action_to_string(a) for a in here.legal_actions()]
                raise misfit(names, word)
            here = here.child(int(word))
        return text

    def course(self, state: Any, move: str) -> Sequence[Any]:
        """Positions with a piece of the player's taken up, and not yet put down, are left out, and
        those before a piece is thrown."""
        first, states = self.shown(state), list[Any]()
        *words, last = map(int, move.split())
        whole = self._number(first, first.mover) if words else 0
        for word in words:
            state = state.child(word)
            if not self.thrown and self._number(self.shown(state), first.mover) >= whole:
                states.append(state)
        passes = "pass" in state.action_to_string(last).lower()
        state = state.child(last)
        if not passes and first.rows == self.shown(state).rows:
            raise GrlError(
                f"a turn of {self.name} changes nothing on the board that is printed",
                expected="a game whose board shows what was done",
            )
        return [*states, state]

    def _number(self, board: Shown, player: str) -> int:
        """How many pieces of a player are on a board."""
        return sum(row.count(key) for key in self._own[player] for row in board.rows)

    def after(self, state: Any, move: str) -> Any:
        return self.course(state, move)[-1]

    def goals(self, state: Any) -> Mapping[str, int] | None:
        if not state.is_terminal():
            return None
        low, high = self._game.min_utility(), self._game.max_utility()
        parts = [(value - low) / (high - low) for value in state.returns()]
        return {p: round(100 * part) for p, part in zip(self.players, parts, strict=True)}

    def owner(self, key: str) -> str | None:
        if self._layout is None:
            return None if key.upper() == key.lower() else self._pair[key.islower()]
        if key not in self._owners:
            raise GrlError(f"the piece {key!r} of {self.name} was not met in random games")
        return self._owners[key]

    def _look(self) -> None:
        """Find squares and owners in random games."""
        chance = Random(self._seed)
        steps: list[tuple[int, str, str]] = []
        turns: list[tuple[int, str, str]] = []
        for _ in range(_SAMPLES):
            state = self._game.new_initial_state()
            begin = str(state)
            while not state.is_terminal() and len(steps) < _TEXTS:
                mover, before = state.current_player(), str(state)
                state.apply_action(chance.choice(state.legal_actions()))
                steps.append((mover, before, str(state)))
                if self.ends(state, mover):
                    turns.append((mover, begin, str(state)))
                    begin = str(state)
        texts = list(dict.fromkeys(text for _, *both in steps for text in both))
        self._layout = Layout.of(texts)
        self.links = self._layout.links
        self._rows = lru_cache(_REMEMBERED)(self._layout.rows_of)
        came: Counter[tuple[str, int]] = Counter()
        keys: set[str] = set()
        for mover, before, after in steps:
            pairs = zip(self._rows(before), self._rows(after), strict=True)
            for old, new in pairs:
                keys.update(old)
                if old == new:
                    continue
                keys.update(new)
                came.update((key, mover) for was, key in zip(old, new, strict=True) if was != key)
        for key in sorted(keys):
            by = [came[key, mover] for mover in range(len(self.players))]
            sure = max(by) > 0 and max(by) >= _SURE * sum(by)
            self._owners[key] = self.players[by.index(max(by))] if sure else None
        self.thrown = self._thrown(turns)
        own = {p: [key for key, owner in self._owners.items() if owner == p] for p in self.players}
        if all(len(keys) == 1 for keys in own.values()):
            counted = [self._counted(own, before, after) for _, before, after in steps]
            self._held = holdings_of(counted, self.players)
            self.stock = {player: own[player] for player in self._held}

    def _counted(self, own: Mapping[str, Sequence[str]], before: str, after: str) -> Step:
        """A step with how many pieces more of its own each player has on the board."""
        rows = ["".join(self._rows(text)) for text in (before, after)]
        more = {p: sum(rows[1].count(k) - rows[0].count(k) for k in own[p]) for p in own}
        return Step(before, after, more)

    def _thrown(self, turns: Sequence[tuple[int, str, str]]) -> frozenset[str]:
        """The pieces of nobody that always come from the piece that moved, in these turns."""
        neutral = frozenset(key for key, owner in self._owners.items() if owner is None) - {EMPTY}
        if not neutral:
            return neutral
        boards = [(p, self._rows(before), self._rows(after)) for p, before, after in turns]
        explains = Differences(len(boards[0][1][0]), self._owners, {}, neutral)
        apart: set[str] = set()
        for player, before, after in boards:
            mover = self.players[player]
            text = explains.turn(Shown(before, mover, {}), Shown(after, mover, {}))
            for segment in text.split("; "):
                words = segment.partition(" (0 0 a ")
                alone = words[0].isalnum() and words[2]
                apart |= {words[2][0]} if alone else set()
        return neutral - apart


def _load(package: Any, name: str) -> Any:
    """The game of a name; raises `GrlError` for one that no trace file can hold."""
    kinds = package.registered_games()
    if name.partition("(")[0] not in {kind.short_name for kind in kinds}:
        known = sorted(kind.short_name for kind in kinds if _fits(package, kind))
        raise GrlError(
            f"OpenSpiel has no game {name!r}",
            expected=f"one of {' '.join(known)}, or with parameters",
        )
    try:
        game = package.load_game(name)
    except (RuntimeError, package.SpielError) as error:
        raise GrlError("OpenSpiel: " + str(error).partition("\n")[0]) from None
    if not _fits(package, game.get_type()):
        raise GrlError(
            f"{name} is no game of perfect information, without chance, of turns",
            expected="another game of OpenSpiel",
        )
    return game


def _fits(package: Any, kind: Any) -> bool:
    """Whether positions of a game are all that its players need to know."""
    types = package.GameType
    return bool(
        kind.dynamics == types.Dynamics.SEQUENTIAL
        and kind.chance_mode == types.ChanceMode.DETERMINISTIC
        and kind.information == types.Information.PERFECT_INFORMATION
    )


def random_games(
    referee: SpielReferee, number: int, seed: int, most: int | None
) -> Iterator[Written]:
    """So many games by players who choose at random, of at most so many turns."""
    for index in range(number):
        chance = Random(f"{seed} {index}")
        state, actions = referee.start(None), []
        moves: list[tuple[str, int]] = []
        while not state.is_terminal() and (most is None or len(moves) < most):
            mover = state.current_player()
            action = chance.choice(state.legal_actions())
            actions.append(str(action))
            state.apply_action(action)
            if referee.ends(state, mover):
                moves.append((" ".join(actions), index + 1))
                actions = []
        yield Written(index + 1, moves)


def read_actions(lines: Lines, referee: SpielReferee) -> Iterator[Written]:
    """Games a line: actions as numbers, or as the package writes them with commas or tabs between.

    What isn't legal is a move of its own.
    """
    for raw in lines:
        text = decoded(raw).partition("#")[0].strip()
        if text:
            yield _recorded(text, lines.number, referee)


def _recorded(text: str, line: int, referee: SpielReferee) -> Written:
    plain = text.replace(",", " ").split()
    numbers = all(word.lstrip("-").isdigit() for word in plain)
    words = plain if numbers else [w.strip() for w in text.replace("\t", ";").split(";")]
    moves: list[tuple[str, int]] = []
    actions: list[str] = []
    state = referee.start(None)
    for word in words:
        if state.is_terminal():
            moves.append((word, line))
            break
        names = {state.action_to_string(a): a for a in state.legal_actions()}
        action = int(word) if numbers else names.get(word)
        if action not in names.values():
            place = Place(line=line, ply=len(moves) + 1)
            flaw = misfit(list(names), word).at(line=line, ply=place.ply)
            return Written(line, moves, flaw=flaw)
        mover = state.current_player()
        actions.append(str(action))
        state.apply_action(action)
        if referee.ends(state, mover):
            moves.append((" ".join(actions), line))
            actions = []
    return Written(line, moves)
