"""A model in the language of Regular Boardgames (Kowalski, Mika, Sutowicz, Szykuła: Regular
Boardgames, AAAI 2019), where the rules are one regular expression over moves.

Automata become expressions; restrictions become checks at the end of a turn, or ask whether other
turns are there; endings are asked before each turn. The board is a graph with an arrow for each
displacement. What can't be said is refused by `NotRegular`, with the rule in English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from grl.board import EMPTY, Player
from grl.export.regular import FAILS, HOLDS, Edge, either, expression, then
from grl.export.squares import ANY, OTHER, NotRegular, Squares
from grl.model import AutomatonKey, Dfa, Literal, Model, Role, Rule, StateId, refuse_effects
from grl.rules.english.sentences import sentences
from grl.turn import Letter

MOST_RIVALS = 3
"""Rules that ask for rivals: each doubles the expression of a turn."""
END = "end"
Flags = frozenset[tuple[str, str]]
"""What a turn has done: ``("moves", KEY)``, ``("takes", KEY)`` and ``("appears", KEY)``."""


class Place(NamedTuple):
    """Where a turn may be.

    `segment` counts from 0, `key` and `state` are the automaton's, `held` is the piece in hand,
    `under` what the hand has come upon. `same` as long as the board is as it was; `idle` as long as
    the segment has changed nothing, as it must.
    """

    segment: int
    key: AutomatonKey | None
    state: StateId
    held: str
    under: str
    same: bool
    idle: bool
    done: Flags


class Local(NamedTuple):
    """A restriction as a check at the end of a turn: where it is passed the turn is illegal.

    `needs` says by what the turn has done whether the check is asked; `early` whether the check is
    asked of the board before the turn, `late` of the board after it; one of fixed squares has
    neither.
    """

    needs: Callable[[Place], bool]
    check: str
    early: bool
    late: bool
    sentence: str


class Choice(NamedTuple):
    """Which turns an expression has: under which of the restrictions, and which it must be.

    `wanted` are pairs of a word and the pieces that it names, as of flags.
    """

    rules: Sequence[Local | None]
    wanted: tuple[tuple[str, frozenset[str]], ...] = ()

    def takes(self, done: Flags) -> bool:
        """Whether a turn that has done so much is one of them."""
        return all(any((word, key) in done for key in keys) for word, keys in self.wanted)


def rbg_program(model: Model) -> str:
    """The game; raises `ModelError` where there are effects, `NotRegular` for other things."""
    refuse_effects(model, "a game of Regular Boardgames")
    if model.rules is not None and model.rules.control:
        raise _refused(model, "control", 0, "who moves next")
    for number, rule in enumerate(model.rules.endings if model.rules is not None else ()):
        if rule.counted:
            raise _refused(model, "endings", number, "goals that are counted")
    if model.passes:
        raise NotRegular("passes can't be written as a game of Regular Boardgames")
    return "\n".join(_Writer(model).lines()) + "\n"


def _refused(model: Model, part: str, number: int, why: str) -> NotRegular:
    """The refusal of a rule, by its sentence."""
    kind = {"restrictions": "restriction", "endings": "ending", "control": "control"}[part]
    rules = getattr(model.rules, part)
    said = sentences(model.equipment, kind, rules)[number]
    return NotRegular(
        f"{kind} {number + 1} can't be written as a game of Regular Boardgames: {why}", found=said
    )


class _Writer:
    """Puts a game together."""

    def __init__(self, model: Model) -> None:
        self.model, self.squares = model, Squares(model)
        self.players = model.equipment.players
        hands = set(model.equipment.stocked)
        for dfa in model.automata:
            for _, letter, _ in dfa.transitions:
                if letter.reserves and (dfa.key.mover, letter.piece) not in hands:
                    raise NotRegular(
                        "a piece joins a reserve that doesn't list it at first",
                        found=f"{letter} of {dfa.key}",
                        expected="an initial position that lists it, if with a count of 0",
                    )
        self.hands = {hand: f"hand{number}" for number, hand in enumerate(sorted(hands), start=1)}

    def lines(self) -> Iterator[str]:
        """The file, line by line."""
        model, names = self.model, self.squares
        first = self.players.index(model.initial.to_move)
        order = [*self.players[first:], *self.players[:first]]
        blocks = [list(self._block(player)) for player in order]
        yield f"// {' '.join(model.game.split())}, learned by grl"
        for key, name in sorted(names.pieces.items()):
            if key != EMPTY:
                yield f"// {name}: {key}"
        yield f"#players = {', '.join(f'{name}(100)' for name in names.players.values())}"
        yield f"#pieces = {', '.join(name for _, name in sorted(names.pieces.items()))}"
        most = model.equipment.board.size + sum(count for *_, count in model.initial.stock)
        yield f"#variables = {', '.join(f'{name}({most})' for name in self.hands.values())}"
        yield "#board ="
        yield from names.board()
        counts = {(player, key): count for player, key, count in model.initial.stock}
        given = [
            f"[$ {name} = {counts[hand]}]" for hand, name in self.hands.items() if counts.get(hand)
        ]
        yield "#rules ="
        yield f"    {then('->>', *given)}"
        yield "    ("
        for block in blocks:
            yield from (f"        {line}" for line in block)
        yield "    )*"

    # Before a turn ----------------------------------------------------------------------------

    def _block(self, player: Player) -> Iterator[str]:
        """What comes before a player's turn, and the turn."""
        rules = self.model.rules
        endings = rules.endings if rules is not None else ()
        turn = self._turn(player)
        asked, over = list[str](), list[str]()
        stuck = list[str]()
        unless = list[str]()
        for number, rule in enumerate(endings):
            try:
                ends, check = self._ending(rule, player)
            except NotRegular as error:
                raise _refused(self.model, "endings", number, error.message) from None
            goals = self._goals(rule, player)
            if ends:
                stuck.append(then(*unless, *([] if check == HOLDS else [f"{{? {check}}}"]), goals))
                unless.append(f"{{! {check}}}")
                if check == HOLDS:
                    break
            else:
                over.append(then(*asked, f"{{? {check}}}", goals, "->> {}"))
                asked.append(f"{{! {check}}}")
        if over:
            yield either([*over, then(*asked)])
        if stuck:
            everywhere = unless[-1] == f"{{! {HOLDS}}}"
            yield either(stuck if everywhere else [*stuck, then(*unless)])
        yield f"->{self.squares.players[player]}"
        yield turn
        yield "->>"

    def _goals(self, rule: Rule, player: Player) -> str:
        first = self.players.index(player)
        goals = {
            self.players[(first + seat) % len(self.players)]: goal
            for seat, goal in enumerate(rule.value)
        }
        names = self.squares.players
        return " ".join(f"[$ {names[who]} = {goal}]" for who, goal in goals.items())

    def _ending(self, rule: Rule, player: Player) -> tuple[bool, str]:
        """Whether an ending needs a player without a turn, and what else it asks."""
        stuck, checks = False, list[str]()
        for literal in rule.body:
            if literal.feature == ("stuck", 0) and literal.holds:
                stuck = True
                continue
            sign = "?" if literal.holds else "!"
            checks.append(f"{{{sign} {self._position(literal, player)}}}")
        return stuck, then(*checks)

    def _position(self, literal: Literal, player: Player) -> str:
        """A check of a position."""
        match literal.feature:
            case ("some", "now", tuple(data)):
                return self.squares.some(self.squares.term(data), player)
            case ("size", "now", ("lies" | "all" as zone, str(content)), str(op), int(number)):
                return self._number(content, player, op, number, hands=zone == "all")
        raise NotRegular(f"no check for {literal.feature[0]}")

    def _number(self, content: str, player: Player, op: str, number: int, *, hands: bool) -> str:
        """A check of how many pieces there are."""
        keys = self.squares.holding(content, player)
        found = [self.squares.pieces[key] for key in sorted(keys)]
        if hands:
            found += [name for (_, key), name in self.hands.items() if key in keys]
        total = " + ".join(found) or "0"
        return f"{{$ {total} {'==' if op == '=' else op} {number}}}"

    # A turn -----------------------------------------------------------------------------------

    def _turn(self, player: Player) -> str:
        """All turns of a player; where rules ask for rivals, those that are left by cases."""
        locals_, rivals, prefix = list[Local](), list[tuple[str, frozenset[str], int]](), -1
        restrictions = self.model.rules.restrictions if self.model.rules is not None else ()
        for number, rule in enumerate(restrictions):
            match rule.body:
                case (Literal(("prefix",), True),) if number == len(restrictions) - 1:
                    prefix = number
                case (Literal(("rival_has", "any", (str(word), what)), True),) if (
                    word in ("takes", "appears") and len(rivals) < MOST_RIVALS
                ):
                    keys = self.squares.holding(what, player)
                    rivals.append((word, keys, len(locals_)))
                case _ if rivals:
                    raise _refused(self.model, "restrictions", number, "it comes after rivals")
                case body:
                    try:
                        locals_.append(self._local(body, player, number))
                    except NotRegular as error:
                        raise _refused(self.model, "restrictions", number, error.message) from None
        cases = []
        for there in product((True, False), repeat=len(rivals)):
            wanted: tuple[tuple[str, frozenset[str]], ...] = ()
            parts = list[str]()
            for (word, keys, _), yes in zip(rivals, there, strict=True):
                found = self._expression(player, Choice(locals_, (*wanted, (word, keys))), False)
                parts.append(f"{{{'?' if yes else '!'} {then(ANY, found)}}}")
                wanted += ((word, keys),) if yes else ()
            turns = self._expression(player, Choice(locals_, wanted), prefix >= 0)
            if turns != FAILS:
                cases.append(then(*parts, ANY, turns))
        return either(cases)

    def _local(self, body: Sequence[Literal], player: Player, number: int) -> Local:
        """A restriction that asks of a turn alone; raises `NotRegular`."""
        tests: list[Callable[[Place], bool]] = []
        checks, early, late = list[str](), False, False
        for literal in body:
            holds = literal.holds
            match literal.feature:
                case ("appears" | "takes" | "moves" as word, what):
                    keys = self.squares.holding(what, player)
                    tests.append(
                        lambda place, word=word, keys=keys, holds=holds: (  # type: ignore[misc]
                            any((word, key) in place.done for key in keys) == holds
                        )
                    )
                case ("segments", "=", int(count)):
                    tests.append(
                        lambda place, count=count, holds=holds: (  # type: ignore[misc]
                            (place.segment + 1 == count) == holds
                        )
                    )
                case ("some", "before" | "after" as when, tuple(data)):
                    term = self.squares.term(data)
                    if self.model.segments > 1:
                        raise NotRegular("it speaks of squares of turns with several segments")
                    check = self.squares.some(term, player, "end1")
                    checks.append(f"{{{'?' if holds else '!'} {check}}}")
                    moving = {each.operator.name for each in term.terms()} & {"lies"}
                    early, late = (
                        early or bool(moving and when == "before"),
                        late or bool(moving and when == "after"),
                    )
                case other:
                    raise NotRegular(f"no check for {other[0]}")
        if early and late:
            raise NotRegular("it asks of the boards before and after the turn")
        assert self.model.rules is not None
        said = sentences(self.model.equipment, "restriction", self.model.rules.restrictions)
        return Local(
            lambda place: all(test(place) for test in tests),
            then(*checks),
            early,
            late,
            f"restriction {number + 1}: {said[number]}",
        )

    def _expression(self, player: Player, choice: Choice, longest: bool) -> str:
        """The turns of a player from a square on; with `longest` none that could go on."""
        edges = list(self._edges(player, choice))
        if longest:
            edges = [
                (source, then(self._no_longer(edges, source), label), target)
                if target == END
                else (source, label, target)
                for source, label, target in edges
            ]
        return expression(edges, "start", END) or FAILS

    def _no_longer(self, edges: Sequence[Edge], place: object) -> str:
        """A check that a turn can't go on from a place."""
        onward = [("from", label, target) if source == place else (source, label, target)
                  for source, label, target in edges
                  if not (source == place and target == END)]  # fmt: skip
        again = [(source, label, target) for source, label, target in edges if source == place]
        # What comes back to the place may end there or go on.
        onward += [edge for edge in again if any(e[2] == place for e in edges)]
        found = expression(onward, "from", END)
        return HOLDS if found is None else f"{{! {found}}}"

    def _edges(self, player: Player, choice: Choice) -> Iterator[Edge]:
        """The steps of all turns, from ``start`` to `END`."""
        waiting: list[Place] = []
        met: set[Place] = set()
        for label, place in self._begun(player, 0, True, frozenset()):
            yield "start", label, place
            waiting.append(place)
        while waiting:
            place = waiting.pop()
            if place in met:
                continue
            met.add(place)
            for label, target in self._onward(player, place, choice):
                yield place, label, target
                if isinstance(target, Place):
                    waiting.append(target)

    def _begun(
        self, player: Player, segment: int, same: bool, done: Flags
    ) -> Iterator[tuple[str, Place]]:
        """The beginnings of a segment: the first letter says whether the piece is taken up."""
        role = Role.LATER if segment else Role.FIRST
        for dfa in self.model.automata:
            key = dfa.key
            if key.mover == player and key.role is role:
                check = self.squares.content([key.holds])
                begun = done if segment else done | {("moves", key.holds)}
                yield check, Place(segment, key, StateId(-1), key.holds, "", same, True, begun)

    def _dfa(self, place: Place) -> Dfa:
        assert place.key is not None
        return self.model.automaton[place.key]

    def _onward(
        self, player: Player, place: Place, choice: Choice
    ) -> Iterator[tuple[str, Place | str]]:
        """What may follow in a turn."""
        dfa = self._dfa(place)
        if place.state == -1:
            lifted = "" if place.held == EMPTY else place.held
            for letter, target in dfa.successors[StateId(0)]:
                begun = place._replace(state=StateId(0))
                if letter.removes:
                    begun = begun._replace(held="", under=place.held)
                    yield from self._letter(player, begun, letter, target)
                    continue
                begun = begun._replace(
                    held=lifted, under=EMPTY, same=place.same and not lifted, idle=not lifted
                )
                for label, after in self._letter(player, begun, letter, target):
                    yield then("[e]" if lifted else HOLDS, label), after
            return
        for letter, target in dfa.successors[place.state]:
            yield from self._letter(player, place, letter, target)
        if place.idle:
            return
        put, put_down = self._put(place)
        if place.state in dfa.continuing and place.segment + 1 < self.model.segments:
            same = place.same and not put
            for label, after in self._begun(player, place.segment + 1, same, put_down):
                yield then(put, ANY, label), after
        if place.state in dfa.accepting and choice.takes(put_down):
            yield then(*self._ended(place._replace(done=put_down), put, choice)), END

    def _ended(self, place: Place, put: str, choice: Choice) -> Iterator[str]:
        """The last checks of a turn, about the putting down of what is held."""
        before, after = list[str](), list[str]()
        for rule in choice.rules:
            if rule is None or not rule.needs(place):
                continue
            if rule.early and not place.same:
                raise NotRegular(
                    "a check of the board before the turn comes too late", found=rule.sentence
                )
            illegal = FAILS if rule.check == HOLDS else f"{{! {rule.check}}}"
            (after if rule.late else before).append(illegal)
        yield from before
        yield put
        yield from after

    def _put(self, place: Place) -> tuple[str, Flags]:
        """Putting down what is held, and what that has done."""
        if not place.held:
            return "", place.done
        return f"[{self.squares.pieces[place.held]}]", self._taken(place)

    def _taken(self, place: Place) -> Flags:
        """What is done once what the hand came upon is gone."""
        keys = place.under if place.under != EMPTY else ""
        return place.done | {("takes", key) for key in keys}

    def _letter(
        self, player: Player, place: Place, letter: Letter, target: StateId
    ) -> Iterator[tuple[str, Place]]:
        """One letter."""
        view = self.model.equipment.views[player]
        if letter.moves:
            way = OTHER if letter.fly else self.squares.step(letter.dx, letter.dy)
            for key in sorted(view):
                if view[key] == letter.on:
                    label = then(way, self.squares.content([key]))
                    yield label, place._replace(state=target, under=key)
        elif letter.removes:
            label = "[e]"
            done = self._taken(place)
            yield (
                label,
                place._replace(state=target, under=EMPTY, same=False, idle=False, done=done),
            )
        elif letter.reserves:
            name = self.hands[player, letter.piece]
            yield f"[$ {name} = {name} + 1]", place._replace(state=target, idle=False)
        else:
            put, done = self._put(place)
            hand = self.hands.get((player, letter.piece))
            stock = f"{{$ {hand} > 0}} [$ {hand} = {hand} - 1]" if hand else ""
            new = AutomatonKey(player, letter.piece, Role.APPEARED)
            if new not in self.model.automaton:
                return
            done |= {("appears", letter.piece)}
            under = place.held or place.under
            same = place.same and not put
            after = Place(place.segment, new, StateId(0), letter.piece, under, same, False, done)
            yield then(put, stock), after
