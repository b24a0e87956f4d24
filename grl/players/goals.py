"""The goals of a learned model as formulas: what each player has when its endings are reached.

An ending speaks of the player to move. Whose turn it is when it comes true is no achievement, so it
is read once for each player in that place, and ``control`` is decided by that. Endings are ordered:
one counts where none before it is true, for whoever is to move, nor one of the same place with
other goals for the player in question. In a game of lines this gives the goals of the book,
``line(x) & ~line(o)`` for the winner.

That a player has no turn is no formula over the propositions of a state to which degrees of truth
could be given: it stands for itself (`turns_of`), and is true by mobility. An ending for want of
turns with equal goals for all is what is left when nobody wins, and counts as true. What else asks
for turns, such as whether a king is attacked, is left out, and listed as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from grl.asp.dependencies import dependencies
from grl.asp.reader import read_rules
from grl.asp.rules import Rule as AspRule
from grl.asp.rules import printed
from grl.board import Equipment, Player
from grl.export.program import asp_program, build
from grl.model import Literal, Model, Rule, Rules
from grl.players.formulas import Circuit, grounded_formulas
from grl.rules.asp.naming import Names
from grl.rules.english.sentences import English

GAME = frozenset({"turn", "able", "moved", "last", "own", "passed"})
"""Predicates that rest on more than boards, hands and who is to move."""


@dataclass(frozen=True)
class Goals:
    """For each player, goals (more than 0) with the formulas by which they are had.

    `endings` has for each ending and player to move the formula of the ending. `left_out` are
    conditions, in English, that no formula stands for.
    """

    equipment: Equipment
    circuit: Circuit
    goals: Mapping[Player, tuple[tuple[int, int], ...]]
    endings: Mapping[tuple[int, Player], int]
    left_out: tuple[str, ...] = ()


def turns_of(player: Player) -> str:
    """The name of the proposition that a player has no turn."""
    return f"no turns of {player}"


def goals_of(model: Model) -> Goals:
    """The goals of a model; without endings nobody has any.

    Raises `ModelError` for a model that no program can hold, and
    `grl.players.formulas.TooManyNodes`.
    """
    return _Reader(model).goals()


class _Reader:
    def __init__(self, model: Model) -> None:
        self.rules = () if model.rules is None else model.rules.endings
        self.players = model.equipment.players
        self.equipment = model.equipment
        self.control = {
            player: f"control({name})" for player, name in Names(model.equipment).player.items()
        }
        self.english = English(model.equipment)
        alone = _endings_alone(model)
        program = build(alone)
        self.predicate = {
            literal.feature: program.definitions.position(literal.feature)
            for rule in self.rules
            for literal in rule.body
        }
        rules = read_rules(asp_program(alone))
        rest = dependencies(rules)
        self.opaque = {
            name
            for name in self.predicate.values()
            if GAME & {below.removeprefix("reply_") for below in rest.below({name})}
        }
        wanted = {name for name in self.predicate.values() if name not in self.opaque}
        kept = _below(rules, rest.below({*wanted, "base"}))
        self.circuit, self.atoms = grounded_formulas(printed(kept), wanted)
        self.left_out: dict[str, None] = {}

    def goals(self) -> Goals:
        endings = {
            (number, mover): formula
            for number, rule in enumerate(self.rules)
            for mover in self.players
            if (formula := self.ending(rule, mover)) is not None
        }
        goals = {player: tuple(self.goals_of(player, endings)) for player in self.players}
        roots = [*(root for each in goals.values() for _, root in each), *endings.values()]
        circuit, numbers = self.circuit.only(roots)
        place = dict(zip(roots, numbers, strict=True))
        return Goals(
            self.equipment,
            circuit,
            {p: tuple((goal, place[root]) for goal, root in each) for p, each in goals.items()},
            {key: place[root] for key, root in endings.items()},
            tuple(self.left_out),
        )

    def ending(self, rule: Rule, mover: Player) -> int | None:
        """The formula of an ending with this player to move; None where nothing is known of it."""
        parts = [self.literal(rule, literal, mover) for literal in rule.body]
        known = [part for part in parts if part is not None]
        return self.circuit.both(known) if known or not parts else None

    def literal(self, rule: Rule, literal: Literal, mover: Player) -> int | None:
        """The formula of one condition."""
        circuit = self.circuit
        if literal.feature[0] == "stuck":
            if len(set(rule.value)) == 1 and literal.holds:
                return circuit.both(())
            found = circuit.fluent(turns_of(self.seated(mover, literal.feature[1])))
        elif self.predicate[literal.feature] in self.opaque:
            self.left_out[self.english.position(literal.feature, literal.holds)] = None
            return None
        else:
            atom = self.atoms.get(f"{self.predicate[literal.feature]}(now)")
            whose = {name: player == mover for player, name in self.control.items()}
            found = circuit.either(()) if atom is None else circuit.given(atom, whose)
        return found if literal.holds else circuit.negated(found)

    def seated(self, mover: Player, seat: int) -> Player:
        """The player so many places after another."""
        return self.players[(self.players.index(mover) + seat) % len(self.players)]

    def goals_of(
        self, player: Player, endings: Mapping[tuple[int, Player], int]
    ) -> Iterator[tuple[int, int]]:
        """The goals of a player, the largest first."""
        goal = {(number, mover): self.goal(number, mover, player) for number, mover in endings}
        sure = self.circuit.both(())
        for value in sorted({value for value in goal.values() if value}, reverse=True):
            ways = []
            for (number, mover), formula in endings.items():
                if goal[number, mover] == value:
                    against = [
                        self.circuit.negated(other)
                        for (earlier, who), other in endings.items()
                        if other != sure  # what is left when nobody wins bars nothing
                        and (earlier, goal[earlier, who]) != (number, value)
                        and earlier <= number
                    ]
                    ways.append(self.circuit.both([formula, *against]))
            yield value, self.circuit.either(ways)

    def goal(self, number: int, mover: Player, player: Player) -> int:
        """What a player has from an ending with another to move; 0 where nobody knows, or
        it is counted."""
        value = self.rules[number].value
        seat = (self.players.index(player) - self.players.index(mover)) % len(self.players)
        goal = value[seat] if value else 0
        return goal if isinstance(goal, int) else 0


def _endings_alone(model: Model) -> Model:
    """The model without the rules that look at turns, for which programs have further positions."""
    if model.rules is None:
        return model
    return replace(model, rules=Rules(model.rules.frames, endings=model.rules.endings))


def _below(rules: Iterable[AspRule], names: frozenset[str]) -> list[AspRule]:
    """The rules for these predicates."""
    return [rule for rule in rules if rule.name in names]
