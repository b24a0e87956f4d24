"""Models drawn at random, and positions for them: what compiled forms of a model are held to.

A model is a function of its seed. It has few turns in most positions, so that many positions can
be compared in a second; its rules are those, of some that are drawn, that speak of some positions
and not of all, wherever such a rule comes up. Everything that a model file can hold may occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from unittest.mock import patch

from effect_terms import MADE, effect
from random_automata import random_automata, random_equipment
from random_rules import Features
from random_terms import random_term

from grl.board import EMPTY, HOLE, Equipment, Player, Position, make_position
from grl.errors import ModelError, SearchError
from grl.locm.machines import SQUARE, ZERO, learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.logic.changes import effect_term, outcomes
from grl.logic.contents import types_of
from grl.logic.perspectives import SYMMETRIES, fits
from grl.model import Effect, Literal, Machine, Model, Rule, Rules, StateId, Tie
from grl.modelfile import from_data, to_data
from grl.moves import compiled, search
from grl.moves.candidate import Candidate
from grl.moves.compiled import CompiledSearcher
from grl.rulebook import Rulebook
from grl.rules.features.cases import Generator, PositionCase, Setting, TurnList
from grl.rules.play.effects import EffectGenerator, generator_of
from grl.rules.play.referee import forbidden, turn_body
from grl.rules.templates.evaluation import covering
from grl.sgrl.evidence import Decision

SAMPLED = 12
"""Positions on which a model is tried while it is drawn."""
FEW, MOST = 2, 150
"""Turns that a sampled position has on average at least, and at most."""
MODELS, RULES = 60, 8
"""How many models, and bodies of a rule, are drawn before the last one is taken as it is."""
SMALL = 1_500
"""Search states from one square, at most, while models are drawn."""
MOST_PLIES = 8


def random_model(seed: int, *, setwise: bool = False) -> Model:
    """The model of a seed; what its file says is what it is.

    With `setwise` turns are mostly of one segment and of few words, and rules mostly such as ask
    for sets of origins alone; larger boards are more frequent.
    """
    chance = Random(f"{'setwise' if setwise else 'model'} {seed}")
    for _ in range(MODELS):
        model, positions = _movements(chance, setwise)
        if positions:
            break
    model = replace(model, machines=_machines(chance, model, positions))
    if not setwise:
        model = replace(model, effects=_effects(chance, model, positions))
    if chance.random() < 0.9:
        model = replace(model, rules=_rules(chance, model, positions, setwise))
    return from_data(to_data(replace(model, game=f"random-{seed}")))


def _movements(chance: Random, setwise: bool) -> tuple[Model, list[Position]]:
    """Equipment and automata, with positions in which there are turns, but not too many."""
    equipment = random_equipment(chance, wide=setwise)
    model = Model(
        "random",
        equipment,
        random_position(chance, equipment),
        random_automata(chance, equipment, plain=setwise),
        passes={p: w for p in equipment.players if (w := _passing(chance))},
        segments=chance.choice([1, 1, 2] if setwise else [1, 2, 2, 3]),
    )
    positions = [model.initial, *(random_position(chance, equipment) for _ in range(SAMPLED - 1))]
    # Effects and rules are not there yet, and machines only forbid.
    generate = CompiledSearcher(model).spellings
    few = patch.object(search, "MAX_STATES", SMALL)
    short = patch.multiple(compiled, MAX_VISITS=SMALL, MAX_GROWTH=SMALL)
    total = 0
    try:
        with few, short:
            for position in positions:
                number = len(generate(position))
                total += number
                if number > MOST:
                    return model, []
    except SearchError:
        return model, []
    return model, positions if total >= FEW * len(positions) else []


def _passing(chance: Random) -> str | None:
    return chance.choice([None, None, None, "forced", "forced", "free", "free"])


# Positions.


def random_position(chance: Random, equipment: Equipment) -> Position:
    """A board with random pieces, and random hands; nothing has moved."""
    board, keys = equipment.board, list(equipment.pieces)
    share = chance.uniform(0.1, 0.6)
    most = 12 / len(board.squares)
    share = min(share, max(most, 0.25 * chance.random()))
    cells = "".join(
        HOLE if s in board.holes else chance.choice(keys) if chance.random() < share else EMPTY
        for s in range(board.size)
    )
    hands: dict[str, dict[str, int]] = {}
    for player, key in sorted(equipment.stocked):
        hands.setdefault(player, {})[key] = chance.choice([0, 1, 1, 2, 3])
    mover = chance.choice(equipment.players)
    return make_position(equipment, board.rows(cells), mover, hands)


def placed(chance: Random, rulebook: Rulebook) -> Position:
    """A random position from outside, now and then with a history: pieces moved, a last turn."""
    equipment = rulebook.model.equipment
    position = random_position(chance, equipment)
    if chance.random() < 0.4:
        return position
    names = [equipment.board.names[s] for s in equipment.board.squares]
    occupied = [equipment.board.names[s] for s in equipment.board.squares if _held(position, s)]
    moved = [name for name in occupied if chance.random() < 0.4]
    last = chance.choice([None, "pass", f"{chance.choice(names)} (@{chance.choice(names)} e)"])
    if occupied and chance.random() < 0.5:
        last = _step(chance, position)
    history = {"moved": moved, "last": last}
    return rulebook.position(position.rows, position.to_move, position.reserve, history)


def _held(position: Position, square: int) -> bool:
    return position.cells[square] != EMPTY


def _step(chance: Random, position: Position) -> str | None:
    """A step that may have ended where a piece now stands."""
    board = position.board
    steps = [
        f"{board.names[s]} ({dx} {dy} {chance.choice('ep')})"
        for s in board.squares
        for dx, dy in product((-1, 0, 1), repeat=2)
        if (dx or dy) and (to := board.step(s, dx, dy)) is not None and _held(position, to)
    ]
    return chance.choice(steps) if steps else None


def walks(rulebook: Rulebook, seed: int) -> Iterator[Position]:
    """Positions without end: random play of some plies, from the start or from random positions.

    It goes on by `Rulebook.after`, and so past positions in which nobody looks.
    """
    chance = Random(f"walks {seed}")
    while True:
        position = rulebook.initial if chance.random() < 0.2 else placed(chance, rulebook)
        for _ in range(chance.randint(1, MOST_PLIES)):
            yield position
            try:
                turns = rulebook.legal(position)
            except SearchError:
                break
            if not turns:
                break
            position = rulebook.after(position, chance.choice(turns))


# Machines.


def _machines(chance: Random, model: Model, positions: Sequence[Position]) -> tuple[Machine, ...]:
    """None, those of some of the turns, or machines over the actions' names with no sense."""
    kind = chance.random()
    if kind < 0.35:
        return ()
    plans, names = _plans(chance, model, positions, chance.uniform(0.3, 1.0))
    if kind < 0.75:
        return tuple(learn_machines(plans))
    found: list[Machine] = []
    for (mover, piece), actions in sorted(names.items()):
        for number in range(chance.randint(0, 2)):
            found.append(_zero(chance, mover, piece, sorted(actions), whole=number == 0))
        if chance.random() < 0.4:
            found.append(_squares(chance, mover, piece, sorted(actions)))
    return tuple(found)


def _plans(
    chance: Random, model: Model, positions: Sequence[Position], share: float
) -> tuple[Plans, dict[tuple[Player, str], dict[str, int]]]:
    """A share of the turns as plans, and the names of all actions with their arguments."""
    plans, names = Plans(), dict[tuple[Player, str], dict[str, int]]()
    generate = CompiledSearcher(model).spellings
    writer = PlanWriter(model.equipment)
    for position in positions:
        decision = Decision(position.to_move, position.cells, position.stock, True)
        for candidate in generate(position):
            written = writer.write(decision, str(candidate.turn))
            assert written is not None
            key, plan = written
            names.setdefault(key, {}).update({a.name: len(a.args) for a in plan})
            if chance.random() < share:
                plans.observe(*written)
    return plans, names


def _zero(
    chance: Random, mover: Player, piece: str, actions: Sequence[str], *, whole: bool
) -> Machine:
    """A zero machine that allows an action in most states."""
    size = chance.randint(1, 3)
    states = [StateId(n) for n in range(size)]
    seen = actions if whole else [a for a in actions if chance.random() < 0.6] or actions[:1]
    transitions = tuple(
        (state, action, 0, chance.choice(states))
        for state in states
        for action in seen
        if chance.random() < 0.85
    )
    return Machine(
        mover,
        piece,
        ZERO,
        size,
        transitions,
        frozenset(chance.sample(states, chance.randint(1, size))),
        frozenset(chance.sample(states, chance.randint(1, size))),
        whole,
    )


def _squares(chance: Random, mover: Player, piece: str, actions: Sequence[str]) -> Machine:
    """A machine of squares, of which only the ties are ever asked."""
    ties = {
        Tie(chance.choice(actions), chance.randint(1, 3), chance.choice(actions), 1)
        for _ in range(chance.randint(1, 2))
    }
    here = frozenset({StateId(0)})
    loops = tuple((StateId(0), action, 1, StateId(0)) for action in actions)
    return Machine(mover, piece, SQUARE, 1, loops, here, here, ties=tuple(sorted(ties)))


# Effects.


def _effects(chance: Random, model: Model, positions: Sequence[Position]) -> tuple[Effect, ...]:
    """Mostly none; else one or two, known ones or with any term, that leave turns to play."""
    if chance.random() < 0.4:
        return ()
    base = CompiledSearcher(model).spellings
    plain = [len(base(position)) for position in positions]
    found: list[Effect] = []
    for _ in range(chance.randint(1, 2)):
        for _ in range(RULES):
            each = _effect(chance, model.equipment)
            whole = EffectGenerator(model.equipment, (*found, each), base).spellings
            if _changes([whole(position) for position in positions], plain, model.segments):
                found.append(each)
                break
    return tuple(found)


def _changes(turns: Sequence[Sequence[Candidate]], plain: Sequence[int], segments: int) -> bool:
    """Whether effects change something, most turns little, and leave half of the turns at least."""
    lengths = [len(candidate.turn.segments) for some in turns for candidate in some]
    left = all(2 * len(some) >= number for some, number in zip(turns, plain, strict=True))
    return left and any(n > segments for n in lengths) and sum(lengths) < 6 * len(lengths)


def _effect(chance: Random, equipment: Equipment) -> Effect:
    becomes = chance.choice([*outcomes(equipment), "removed", "same"])
    while True:
        where = random_term(chance, equipment, chance.randint(0, 3)).data
        kinds = types_of(equipment, "opposing")
        if chance.random() < 0.6:
            name = chance.choice(sorted(MADE))
            where = effect(_named(chance, name), becomes, *kinds[:1] * (len(kinds) > 1)).where
        try:
            return Effect(effect_term(where, becomes, equipment, "effect").data, becomes)
        except ModelError:
            continue


def _named(chance: Random, name: str) -> tuple[str, ...]:
    """The name of a made term with its arguments."""
    if name == "enclosed":
        ways = chance.choice(["orthogonal", "diagonal", "around"])
        return (name, ways, chance.choice(["one", "any"]), chance.choice(["own", "own or edge"]))
    if name == "passed":
        return (name,)
    return (name, chance.choice(["orthogonal", "around"]))


# Rules.


@dataclass(frozen=True)
class Tried:
    """The positions on which rules are tried, with their pseudo-legal turns."""

    setting: Setting
    cases: Sequence[PositionCase]
    lists: Sequence[TurnList]

    def forbids(self, body: Sequence[Literal]) -> float:
        """The share of all turns that a rule on turns covers."""
        made = turn_body(self.setting, body)
        covered = [forbidden(each, made) for each in self.lists if each.cases]
        return sum(map(sum, covered)) / max(1, sum(map(len, covered)))

    def holds(self, body: Sequence[Literal]) -> float:
        """The share of positions that a rule on positions covers."""
        covers = covering(self.setting, body)
        return sum(map(covers, self.cases)) / len(self.cases)


def _rules(
    chance: Random, model: Model, positions: Sequence[Position], setwise: bool = False
) -> Rules:
    board, players = model.equipment.board, model.equipment.players
    names = [name for name in sorted(SYMMETRIES) if fits(board, name)]
    usual = chance.random() < 0.7
    frames = {
        p: "identity" if usual and n == 0 else "turn" if usual else chance.choice(names)
        for n, p in enumerate(players)
    }
    generate = generator_of(model)
    setting = Setting(model.equipment, frames, generate)
    setting.stuck = _stuck(setting, generate)
    features = Features(chance, model, setting)
    cases = [PositionCase.of(setting, position) for position in positions]
    lists = [TurnList(case, generate(each)) for case, each in zip(cases, positions, strict=True)]
    tried = Tried(setting, cases, lists)

    def restriction() -> tuple[Literal, ...]:
        if setwise and model.segments > 1 and chance.random() < 0.5:
            going_on = Literal(("segments", "=", model.segments), True)
            return (going_on, Literal(features.setwise(), chance.random() < 0.5))
        if setwise:
            number = chance.choice([1, 1, 2])
            return tuple(Literal(features.setwise(), chance.random() < 0.7) for _ in range(number))
        asking = chance.random() < 0.15
        return tuple(
            Literal(
                features.relation() if chance.random() < 0.25 else features.turn(stuck=asking),
                chance.random() < 0.75,
            )
            for _ in range(chance.choice([1, 1, 2]))
        )

    def ending() -> tuple[Literal, ...]:
        number = chance.choice([1, 1, 2])
        draw = features.timeless if setwise and chance.random() < 0.9 else features.position
        return tuple(Literal(draw(), chance.random() < 0.7) for _ in range(number))

    def of_turn() -> tuple[Literal, ...]:
        return (Literal(features.turn(before_stuck=True), chance.random() < 0.75),)

    def some(
        most: int, draw: Callable[[], tuple[Literal, ...]], share: Callable[..., float], high: float
    ) -> list[tuple[Literal, ...]]:
        number = 0 if chance.random() < 0.15 else chance.randint(1, most)
        return [_chosen(draw, share, high) for _ in range(number)]

    free = "free" in model.passes.values() and not setwise
    return Rules(
        frames,
        tuple(map(Rule, some(3, restriction, tried.forbids, 0.5))),
        tuple(
            Rule(body, tuple(chance.choice([0, 50, 100]) for _ in players))
            for body in some(3, ending, tried.holds, 0.4)
        ),
        tuple(
            Rule(body, (chance.choice([0, 0, *range(len(players))]),))
            for body in (
                some(2, of_turn, tried.forbids, 0.9)
                if not setwise and chance.random() < 0.85
                else ()
            )
        ),
        tuple(map(Rule, some(2, of_turn, tried.forbids, 0.9))) if free else (),
    )


def _chosen(
    draw: Callable[[], tuple[Literal, ...]],
    share: Callable[[tuple[Literal, ...]], float],
    high: float,
) -> tuple[Literal, ...]:
    """The first body that covers some of what there is but no more than that share of it."""
    for _ in range(RULES):
        body = draw()
        if 0 < share(body) <= high:
            break
    return body


def _stuck(setting: Setting, generate: Generator) -> Callable[[PositionCase, int], bool]:
    """Who has no turn at all, while there are no restrictions yet."""

    def stuck(case: PositionCase, seat: int) -> bool:
        position = case.position()
        return not generate(replace(position, to_move=setting.seat(position.to_move, seat)))

    return stuck
