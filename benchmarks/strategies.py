"""Strategies learned from play, and wins that are planned, beside what is published.

Boschloo, *Learning to Play with Inductive Logic Programming*, section 4.1.4: Win, Block and Center
in Connect-Four. Grillotti, draft of a report: in tic-tac-toe, a win in two turns of one's own
whatever the reply. The share of games that a strategy learned from optimal play wins against random
play has marks of which no source says how games are counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import grl
from grl.board import Position
from grl.engine.engine import Engine, State
from grl.las import Limits, parse, solve
from grl.players import agent
from grl.players.arena import Contest, matches, openings, played
from grl.players.choices import Choice
from grl.players.facets import Outlook
from grl.players.interface import Agent, Budget, final_value, plies_to_end
from grl.players.plan_tasks import task_text
from grl.players.plans import expanded, plan
from grl.players.preferences import Learned, learn, orderings, strategy_text
from grl.players.seats import Seat
from grl.players.strategy import Strategy, strategy_of
from grl.rulebook import Rulebook

ROOT = Path(__file__).resolve().parent.parent
Figures = Iterator[tuple[str, str, str]]
Weights = Sequence[float]
Policy = Callable[[State], Weights]
"""With which chance each turn of a state is played."""

STUDY = """% Boschloo, listing 22, in the vocabulary of turns.
:~ not wins. [50@1, win]
:~ blocks(0). [20@1, block]
:~ file_off(N), N >= 2. [10@1, center]
"""
PUBLISHED = {"wins": "Win", "blocks": "Block", "risks": "Block", "file_off": "Center (3 files)"}
"""What the study calls preferences by these facets."""
MATCH, OPENING = 200, 4
PLANNED = (
    ("tic-tac-toe", 3, 100),
    ("connect-four", 2, 100),
    ("breakthrough", 1, 40),
    ("checkers", 2, 40),
)


def rows() -> Figures:
    """Shares of games, preferences, plans."""
    models = {name: _learned(name) for name in ("tic-tac-toe", "connect-four")}
    yield from _tic_tac_toe(models["tic-tac-toe"].engine())
    yield from _connect_four(models["connect-four"].engine())
    yield from _position(models["tic-tac-toe"])
    for name, own, number in PLANNED:
        rules = models[name] if name in models else _learned(name)
        yield from _plans(name, rules.engine(), own, number)


def _learned(name: str) -> Rulebook:
    return grl.learn(sorted((ROOT / "traces" / name).glob("all-moves.jsonl*")))


# Against random play, exactly ----------------------------------------------------------------


def _tic_tac_toe(engine: Engine) -> Figures:
    """What wins against random play, over all games that can happen, as the first and the second
    player in equal parts."""
    best = [_optimal(engine, seat) for seat in (0, 1)]
    yield "random play against itself, wins", _against(engine, [_any, _any]), ""
    yield "optimal play", _against(engine, best), "96.5 %"
    yield "any turn that minimax allows", _against(engine, [_minimax(engine)] * 2), ""
    chosen = [
        Choice(*each)
        for seat in (0, 1)
        for game in range(100)
        for each in _turns(engine, best[seat], seat, game)
    ]
    for ahead in (1, 2):
        began = time.perf_counter()
        found = learn(orderings(engine, chosen, ahead), levels=5)
        seconds = time.perf_counter() - began
        strategy = strategy_of(strategy_text(found, ""))
        policy = [_by(engine, strategy)] * 2
        said = f"from {len(chosen)} optimal turns, {ahead} ahead, {seconds:.1f} s"
        yield f"learned {said}", _against(engine, policy), "76 %"
        yield from _listed(found, {})


def _against(engine: Engine, policies: Sequence[Policy]) -> str:
    shares = [_outcome(engine, seat, policy) for seat, policy in enumerate(policies)]
    win = sum(each[0] for each in shares) / 2
    draw = sum(each[1] for each in shares) / 2
    first, second = (f"{100 * each[0]:.1f}" for each in shares)
    return f"{100 * win:.1f} % (first {first}, second {second}), drawn {100 * draw:.1f} %"


def _outcome(engine: Engine, seat: int, policy: Policy) -> tuple[float, float]:
    """The chances of a win and of a draw for a seat."""
    known: dict[State, tuple[float, float]] = {}
    players = engine.equipment.players

    def chances(state: State) -> tuple[float, float]:
        if state not in known:
            if state.over:
                value = final_value(state.goals(), players, seat)
                known[state] = float(value > 0), float(value == 0)
            else:
                weights = policy(state) if state.mover == seat else _any(state)
                parts = [
                    (weight, chances(state.play(number)))
                    for number, weight in enumerate(weights)
                    if weight
                ]
                win, draw = (sum(w * each[k] for w, each in parts) for k in (0, 1))
                known[state] = win, draw
        return known[state]

    return chances(engine.initial)


def _any(state: State) -> Weights:
    return _shared(range(state.count()), state)


def _shared(numbers: Sequence[int], state: State) -> Weights:
    """Equal chances for some turns."""
    return [(number in numbers) / len(numbers) for number in range(state.count())]


def _by(engine: Engine, strategy: Strategy) -> Policy:
    return lambda state: _shared([n for _, n in strategy.best(engine, state, Budget())[0]], state)


def _optimal(engine: Engine, seat: int) -> Policy:
    """The turns with the most wins less losses against random play."""
    players = engine.equipment.players
    known: dict[State, tuple[float, list[int]]] = {}

    def judged(state: State) -> tuple[float, list[int]]:
        if state not in known:
            if state.over:
                value = final_value(state.goals(), players, seat)
                known[state] = float((value > 0) - (value < 0)), []
            else:
                values = [judged(state.play(number))[0] for number in range(state.count())]
                most = max(values)
                mean = most if state.mover == seat else sum(values) / len(values)
                best = [number for number, value in enumerate(values) if value > most - 1e-12]
                known[state] = mean, best
        return known[state]

    return lambda state: _shared(judged(state)[1], state)


def _minimax(engine: Engine) -> Policy:
    """The turns that lead to the best result against the best play."""
    players = engine.equipment.players
    known: dict[State, int] = {}

    def value(state: State, seat: int) -> int:
        if state.over:
            found = final_value(state.goals(), players, seat)
            return (found > 0) - (found < 0)
        if state not in known:
            mover = state.mover
            known[state] = max(value(state.play(n), mover) for n in range(state.count()))
        return known[state] if state.mover == seat else -known[state]

    def policy(state: State) -> Weights:
        values = [value(state.play(number), state.mover) for number in range(state.count())]
        return _shared([n for n, each in enumerate(values) if each == max(values)], state)

    return policy


def _turns(engine: Engine, policy: Policy, seat: int, game: int) -> Iterator[tuple[Position, str]]:
    """A player's turns in a game against random play."""
    chance, state = Random(f"{seat} {game}"), engine.initial
    while not state.over:
        weights = policy(state) if state.mover == seat else _any(state)
        (number,) = chance.choices(range(state.count()), weights)
        if state.mover == seat:
            yield state.position(), state.turns()[number]
        state = state.play(number)


# Win, Block and Center -----------------------------------------------------------------------


def _connect_four(engine: Engine) -> Figures:
    study = strategy_of(STUDY)
    for name, teacher, budget, games in (
        ("the study's preferences", study, Budget(), 60),
        ("uct, 2,000 nodes", agent("uct"), Budget(nodes=2_000), 120),
    ):
        chosen = [
            Choice(*each)
            for game in range(games)
            for each in _lesson(engine, teacher, budget, game)
        ]
        began = time.perf_counter()
        found = learn(orderings(engine, chosen, 1), levels=5)
        seconds = time.perf_counter() - began
        kept = found.orderings.total - found.listed.tied - found.listed.broken
        said = f"{kept:,} of {found.orderings.total:,} orderings, {found.listed.broken:,} broken"
        what = f"learned from {name}, {len(chosen)} turns"
        yield what, f"{seconds:.1f} s, {said}", "7 examples, 5 orderings by hand"
        yield from _listed(found, PUBLISHED)
        strategy = strategy_of(strategy_text(found, ""))
        yield from _agreement(engine, strategy)
        for other, opponent in (("random", agent("random")), ("the study's preferences", study)):
            score = _match(engine, strategy, opponent)
            yield f"  score against {other}, {MATCH} games", f"{score:.3f}", ""


def _listed(found: Learned, published: Mapping[str, str]) -> Figures:
    for place, each in enumerate(found.preferences):
        rule = each.rule(len(found.preferences) - place)
        yield f"  {rule}", each.english, published.get(each.facet, "")


def _lesson(
    engine: Engine, teacher: Agent, budget: Budget, game: int
) -> Iterator[tuple[Position, str]]:
    """What a player plays against random play, moving first in every other game."""
    chance, state = Random(f"lesson {game}"), engine.initial
    while not state.over:
        number = chance.randrange(state.count())
        if state.mover == game % 2:
            number = teacher.choose(engine, state, budget, chance.getrandbits(32)).number
            yield state.position(), state.turns()[number]
        state = state.play(number)


def _agreement(engine: Engine, strategy: Strategy) -> Figures:
    """On random positions, how often all turns that are played are such as the study wants: a win
    where there is one, else a block, else one of the three files in the middle."""
    kinds = {"a win": [0, 0], "a block": [0, 0], "neither, but the center": [0, 0]}
    for state in _states(engine, 400, "agreement"):
        outlook = Outlook(engine, state)
        facts = [outlook.facts(n, ("wins", "blocks", "file_off")) for n in range(state.count())]
        wanted = (
            {n for n, each in enumerate(facts) if each["wins"]},
            {n for n, each in enumerate(facts) if each["blocks"]},
            {n for n, each in enumerate(facts) if each["file_off"] < 2},
        )
        played = {n for _, n in strategy.best(engine, state, Budget())[0]}
        found = next((pair for pair in zip(kinds, wanted, strict=True) if pair[1]), None)
        if found is not None:
            kinds[found[0]][0] += played <= found[1]
            kinds[found[0]][1] += 1
    for kind, (same, number) in kinds.items():
        yield f"  plays so where there is {kind}", f"{same} of {number}", ""


def _states(engine: Engine, number: int, seed: str) -> Iterator[State]:
    """States of random games."""
    chance, state = Random(seed), engine.initial
    while number:
        state = engine.initial if state.over else state.play(chance.randrange(state.count()))
        if not state.over and chance.random() < 0.3:
            number -= 1
            yield state


def _match(engine: Engine, first: Agent, second: Agent) -> float:
    """The share of points of the first."""
    sitting = [Seat("first", first, Budget()), Seat("second", second, Budget())]
    contest = Contest(engine, "", sitting, OPENING, 1, 500)
    starts = openings(contest, MATCH // 2)
    points = 0.0
    for match in matches(2, MATCH):
        record = played(contest, match, starts[match.opening])
        points += record.points if record.seats[0] == 0 else 1 - record.points
    return points / MATCH


# Plans ---------------------------------------------------------------------------------------


def _position(rules: Rulebook) -> Figures:
    """The report's position, planned, and learned as a rule with exceptions."""
    engine = rules.engine()
    state = engine.state(rules.position(["..o", "ox.", "x.."], "x"))
    began = time.perf_counter()
    found = plan(engine, state, 3)
    assert found is not None
    said = f"{found.own} turns, {found.exceptions} exception, {time.perf_counter() - began:.2f} s"
    yield "the report's position: planned", said, "2 turns, 1 exception"
    task = parse(task_text(expanded(engine, state, 2)), limits=Limits(body=1))
    began = time.perf_counter()
    outcome = solve(task)
    seconds = time.perf_counter() - began
    proven = "proven" if outcome.proven else "not proven"
    yield (
        "the same, learned by grl las",
        f"cost {outcome.cost}, {proven}, {seconds:.1f} s",
        ("11 s, 1 s with a hint (ILASP)"),
    )
    for rule in outcome.program():
        yield f"  {rule}", "", ""


def _plans(name: str, engine: Engine, own: int, number: int) -> Figures:
    """Plans beside minimax on random positions."""
    differ = wins = 0
    seconds = [0.0, 0.0]
    for state in _states(engine, number, f"plans {name}"):
        began = time.perf_counter()
        found = plan(engine, state, own)
        half = time.perf_counter()
        value = agent("alphabeta").choose(engine, state, Budget(depth=2 * own - 1)).value
        seconds[0] += half - began
        seconds[1] += time.perf_counter() - half
        plies = plies_to_end(value) if value > 0 else None
        wins += found is not None
        differ += (None if plies is None else (plies + 1) // 2) != (found and found.own)
    times = f"{seconds[0]:.1f} s (minimax {seconds[1]:.1f} s)"
    what = f"{name}, {own} turns of one's own, {number} positions"
    yield what, f"{wins} plans, {differ} differ from minimax, {times}", ""
