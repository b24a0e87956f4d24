"""True planning domains to hold learned ones to: read from PDDL or walked at random."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grl.locm.domain import Domain
from grl.locm.table import Step

DATA = Path(__file__).parents[3] / "shared" / "data" / "plans"

Literal = tuple[bool, tuple[str, ...]]
Plan = list[Step]


@dataclass(frozen=True)
class TrueAction:
    """Parameters with their types, and literals over them."""

    parameters: tuple[tuple[str, str], ...]
    needs: tuple[Literal, ...]
    effects: tuple[Literal, ...]


@dataclass(frozen=True)
class World:
    """A domain read from PDDL."""

    actions: dict[str, TrueAction]

    def ground(self, step: Step) -> tuple[list[Literal], list[Literal]]:
        """What a step needs, and its effects with the deletions first."""
        action = self.actions[step.name]
        names = {v: a for (v, _), a in zip(action.parameters, step.args, strict=True)}

        def facts(literals: Iterable[Literal]) -> list[Literal]:
            return [
                (sign, tuple(names.get(word, word) for word in fact)) for sign, fact in literals
            ]

        return facts(action.needs), sorted(facts(action.effects))

    def initial(self, plan: Sequence[Step]) -> set[tuple[str, ...]]:
        """What must hold initially; fails where the plan contradicts itself."""
        first: dict[tuple[str, ...], bool] = {}
        now: dict[tuple[str, ...], bool] = {}
        for step in plan:
            needs, effects = self.ground(step)
            for sign, fact in needs:
                assert now.setdefault(fact, sign) == sign, f"{step} is not applicable"
                first.setdefault(fact, sign)
            for sign, fact in effects:
                first.setdefault(fact, False)
                now[fact] = sign
        return {fact for fact, held in first.items() if held}

    def applicable(self, state: set[tuple[str, ...]], step: Step) -> bool:
        """Whether a step may be taken."""
        return all((fact in state) == sign for sign, fact in self.ground(step)[0])

    def apply(self, state: set[tuple[str, ...]], step: Step) -> set[tuple[str, ...]]:
        """The state after a step."""
        after = set(state)
        for sign, fact in self.ground(step)[1]:
            (after.add if sign else after.discard)(fact)
        return after

    def runs(self, state: set[tuple[str, ...]], plan: Iterable[Step]) -> bool:
        """Whether a plan is applicable from `state`."""
        for step in plan:
            if not self.applicable(state, step):
                return False
            state = self.apply(state, step)
        return True

    def next_actions(self, plan: Sequence[Step]) -> list[Step]:
        """Every action over the objects of a plan, by the types of their slots."""
        objects: dict[str, set[str]] = {}
        for step in plan:
            for (_, kind), name in zip(self.actions[step.name].parameters, step.args, strict=True):
                objects.setdefault(kind, set()).add(name)
        return [
            Step(name, args)
            for name, action in self.actions.items()
            for args in itertools.product(
                *(sorted(objects.get(kind, ())) for _, kind in action.parameters)
            )
        ]


def world(path: Path) -> World:
    """The domain in a PDDL file."""
    text = re.sub(r";.*", "", path.read_text()).lower()
    tree = _tree(iter(re.findall(r"[()]|[^\s()]+", text)))[0]
    actions = {}
    for part in tree[1:]:
        if part[0] == ":action":
            fields = dict(zip(part[2::2], part[3::2], strict=True))
            actions[part[1]] = TrueAction(
                tuple(_typed(fields[":parameters"])),
                tuple(_literals(fields[":precondition"])),
                tuple(_literals(fields[":effect"])),
            )
    return World(actions)


def _tree(words: Iterator[str]) -> list[Any]:
    found: list[Any] = []
    for word in words:
        if word == ")":
            break
        found.append(_tree(words) if word == "(" else word)
    return found


def _typed(words: list[str]) -> Iterator[tuple[str, str]]:
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-":
            kind = next(rest)
            yield from ((w, kind) for w in waiting)
            waiting = []
        else:
            waiting.append(word)
    yield from ((w, "object") for w in waiting)


def _literals(tree: list[Any]) -> Iterator[Literal]:
    if tree and tree[0] == "and":
        for part in tree[1:]:
            yield from _literals(part)
    elif tree and tree[0] == "not":
        yield False, tuple(tree[1])
    elif tree:
        yield True, tuple(tree)


def data(name: str) -> tuple[World, list[Plan]]:
    """A domain of the data folder and its plans, sorted; skipped where there is no folder."""
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}: it lies outside the repository")
    plans = [
        [Step(*_split(line)) for line in file.read_text().splitlines() if line.startswith("(")]
        for file in sorted(folder.glob("*.plan"))
    ]
    return world(folder / "domain.pddl"), plans


def _split(line: str) -> tuple[str, tuple[str, ...]]:
    name, *args = line.strip("() \n").split()
    return name, tuple(args)


def false_accepts(
    true: World, learned: Domain, plans: Iterable[Plan], most: int = 8_000
) -> tuple[int, int]:
    """Of the next actions that are inapplicable in truth: how many `learned` accepts, of how many.

    Both domains begin with what the plan needs initially and nothing else. At most `most` next
    actions are looked at for each plan.
    """
    dice = random.Random(0)
    accepted = refused = 0
    for plan in plans:
        every = true.next_actions(plan)
        share = max(1, most // len(plan))
        state, believed = true.initial(plan), learned.initial(plan)
        for step in plan:
            for trial in every if len(every) <= share else dice.sample(every, share):
                if not true.applicable(state, trial):
                    if learned.applicable(believed, trial):
                        accepted += 1
                    else:
                        refused += 1
            state, believed = true.apply(state, step), learned.apply(believed, step)
    return accepted, accepted + refused


def blocksworld_walk(dice: random.Random, steps: int = 20, blocks: int = 6) -> Plan:
    """A random walk among towers of blocks."""
    on: dict[int, int] = {}
    order = list(range(blocks))
    dice.shuffle(order)
    for below, above in itertools.pairwise(order):
        if dice.random() < 0.6:
            on[above] = below
    held: int | None = None
    plan = []
    for _ in range(steps):
        clear = sorted(set(range(blocks)) - set(on.values()) - {held})
        if held is None:
            block = dice.choice(clear)
            under = on.pop(block, None)
            plan.append(
                Step("pickup", (f"b{block}",))
                if under is None
                else Step("unstack", (f"b{block}", f"b{under}"))
            )
            held = block
        else:
            under = dice.choice([None, *clear])
            if under is None:
                plan.append(Step("putdown", (f"b{held}",)))
            else:
                plan.append(Step("stack", (f"b{held}", f"b{under}")))
                on[held] = under
            held = None
    return plan


def ferry_walk(dice: random.Random, steps: int = 20, cars: int = 4, places: int = 4) -> Plan:
    """A random walk of a ferry that carries one car."""
    at = {car: dice.randrange(places) for car in range(cars)}
    here, aboard = 0, -1
    plan = []
    for _ in range(steps):
        choices = [Step("sail", (f"loc{here}", f"loc{x}")) for x in range(places) if x != here]
        if aboard >= 0:
            choices += [Step("debark", (f"car{aboard}", f"loc{here}"))] * 3
        else:
            choices += [Step("board", (f"car{c}", f"loc{here}")) for c in at if at[c] == here] * 3
        step = dice.choice(choices)
        plan.append(step)
        if step.name == "sail":
            here = int(step.args[1][3:])
        elif step.name == "board":
            aboard = int(step.args[0][3:])
            del at[aboard]
        else:
            at[aboard], aboard = here, -1
    return plan


def camps_walk(dice: random.Random, steps: int = 20) -> Plan:
    """People pitch and strike tents at camps: anyone at any number of camps at once.

    Only the pair decides what may follow, so a machine of one person or one camp allows anything.
    """
    pitched: set[tuple[int, int]] = set()
    plan = []
    for _ in range(steps):
        pair = dice.randrange(3), dice.randrange(3)
        plan.append(
            Step("strike" if pair in pitched else "pitch", (f"hiker{pair[0]}", f"camp{pair[1]}"))
        )
        pitched ^= {pair}
    return plan


def factories_walk(dice: random.Random, steps: int = 20) -> Plan:
    """Factories with three switches each that are set in any order and all reset one by one.

    A factory's sequence interleaves three independent alternations; supplies are pairs.
    """
    on: set[tuple[str, int]] = set()
    stocked: set[tuple[int, int]] = set()
    plan = []
    for _ in range(steps):
        factory = dice.randrange(2)
        part = dice.randrange(3)
        what = dice.choice(["heat", "light", "supply"])
        if what == "supply":
            pair = (part, factory)
            name = "use" if pair in stocked else "supply"
            plan.append(Step(name, (f"part{part}", f"factory{factory}")))
            stocked ^= {pair}
        else:
            name = f"{what}_off" if (what, factory) in on else f"{what}_on"
            plan.append(Step(name, (f"factory{factory}",)))
            on ^= {(what, factory)}
    return plan


TRAYS = """
(define (domain trays)
  (:constants kitchen - place)
  (:action make :parameters (?s - sandwich)
    :precondition (absent ?s) :effect (and (not (absent ?s)) (made ?s)))
  (:action put :parameters (?s - sandwich ?t - tray)
    :precondition (and (made ?s) (at ?t kitchen)) :effect (and (not (made ?s)) (on ?s ?t)))
  (:action serve :parameters (?s - sandwich ?t - tray ?p - place)
    :precondition (and (on ?s ?t) (at ?t ?p)) :effect (and (not (on ?s ?t)) (absent ?s)))
  (:action move :parameters (?t - tray ?p - place ?q - place)
    :precondition (and (at ?t ?p) (not (at ?t ?q))) :effect (and (not (at ?t ?p)) (at ?t ?q))))
"""
"""Sandwiches go onto a tray only in the kitchen, which that action doesn't name."""


def trays_walk(
    dice: random.Random, steps: int = 30, places: Sequence[str] = ("kitchen", "t1", "t2", "t3")
) -> Plan:
    """A random walk of two trays, which begin in the first place, and three sandwiches."""
    at = dict.fromkeys(("tray1", "tray2"), places[0])
    lies: dict[str, str | None] = dict.fromkeys(("s1", "s2", "s3"))
    plan = []
    for _ in range(steps):
        choices = [
            Step("move", (tray, here, there)) for tray, here in at.items() for there in places
        ]
        choices = [step for step in choices if step.args[1] != step.args[2]]
        for sandwich, on in lies.items():
            if on is None:
                choices += [Step("make", (sandwich,))]
            elif on == "made":
                choices += [Step("put", (sandwich, t)) for t in at if at[t] == places[0]] * 2
            else:
                choices += [Step("serve", (sandwich, on, at[on]))] * 3
        step = dice.choice(choices)
        plan.append(step)
        if step.name == "move":
            at[step.args[0]] = step.args[2]
        else:
            lies[step.args[0]] = {"make": "made", "put": step.args[-1]}.get(step.name)
    return plan


def walks(walk: Callable[[random.Random], Plan], number: int, seed: int) -> list[Plan]:
    """Some walks of one kind."""
    dice = random.Random(seed)
    return [walk(dice) for _ in range(number)]
