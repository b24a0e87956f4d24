"""A model as one answer set program in the relations of the Game Description Language.

Given the facts ``true/1`` of a state, and ``does/2`` of a turn, its one answer set holds
``legal/2``, ``next/1``, ``terminal/0`` and ``goal/2`` (Love and others 2008, *General Game
Playing: Game Description Language Specification*). A state is made of ``cell(X,Y,C)``,
file and rank from 1 and a piece or ``empty``; ``control(M)``; ``hand(M,C,N)`` where the model has
reserves; and, where rules ask for it, ``moved(X,Y)``; ``last(start1,K,X,Y)`` and
``last(end1,K,X,Y)`` of the turn K plies ago; ``own(start1,M,X,Y)`` and ``own(end1,M,X,Y)`` of the
last turn of M; and ``passed(N)``, if the last N turns were passes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grl.asp.layout import filled, wrapped
from grl.asp.reader import read_rules
from grl.board import Position
from grl.errors import ModelError
from grl.export import effects, paths, walks, worlds
from grl.export.levels import recursive
from grl.export.ordering import Ordering
from grl.export.shapes import Node, Shapes
from grl.export.states import fluents_of
from grl.export.things import things
from grl.logic.terms import OWN
from grl.model import Literal, Model, Rule, Rules, Score
from grl.rules.asp.definitions import Definitions, passed, recalled, recalled_own
from grl.rules.english.sentences import English
from grl.rules.features.cases import Setting
from grl.rules.features.levels import asking
from grl.rules.play.referee import check_rules
from grl.rules.templates import scores
from grl.turn import Kind

NO_RULES = Rules({})
GIVEN = """% What a state and a turn give, and what some models leave open.
#defined true/1. #defined does/2. #defined over/0. #defined goal/2. #defined rival/2.
"""
LATER = "#defined later_moved/2. #defined later_last/4. #defined later_passed/2.\n"


@dataclass(frozen=True)
class Program:
    """A program by sections, each with a headline; `definitions` knows names of predicates."""

    model: Model
    sections: tuple[tuple[str, str], ...]
    definitions: Definitions = field(repr=False)
    longest: int
    """No turn from the initial position has more letters, effects left out."""
    most_changes: int
    """No turn has effects on more squares."""

    @property
    def text(self) -> str:
        """The program with its comments, and with the marks of levels."""
        parts = []
        for title, body in self.sections:
            line = f"% --- {title} "
            parts.append(f"{line}{'-' * max(0, 96 - len(line))}\n\n{body}".rstrip())
        text = "\n\n".join(parts) + "\n"
        return "\n".join(map(wrapped, text.split("\n")))


def asp_program(model: Model) -> str:
    """The program that clingo runs."""
    text = recursive(build(model).text)
    return f"{text}\n{GIVEN}{LATER if 'later_' in text else ''}"


def build(
    model: Model,
    *,
    chains: bool = False,
    positions: Sequence[Literal] = (),
    turns: Sequence[Literal] = (),
) -> Program:
    """The program with marks of levels, with `chains` free of aggregates; see `grl.export.walks`.

    `positions` and `turns` are literals to define beside those of the rules. Raises `ModelError`
    for a model that no program can hold.
    """
    effects.terms_of(model)
    return _Builder(model, chains).program(positions, turns)


class _Builder:
    def __init__(self, model: Model, chains: bool) -> None:
        rules = model.rules or NO_RULES
        frames = dict.fromkeys(model.equipment.players, "identity") | dict(rules.frames)
        self.model, self.rules = model, rules
        self.setting = Setting(model.equipment, frames, lambda _: [])
        check_rules(self.setting, rules)
        self.stock = sorted({(p, k) for p, k, _ in model.initial.stock} | model.equipment.stocked)
        self.definitions = Definitions(self.setting, chains=chains, stock=self.stock)
        self.names = self.definitions.names
        self.english = English(model.equipment)
        self.several = model.segments > 1
        self.effects = bool(model.effects)
        self.left = "spare" if model.effects else "left"
        self.circular: frozenset[Node] = frozenset()
        kept = {
            (dfa.key.mover, x.piece)
            for dfa in model.automata
            for _, x, _ in dfa.transitions
            if x.kind is Kind.RESERVE
        }
        effects_keep = effects.keeps(model)
        if any(map(asking, rules.restrictions)):
            raise ModelError(
                f"the model of {model.game} can't be written as a program",
                found="a restriction that asks what turns the ones before it leave",
                expected="restrictions of one level",
            )
        if not kept <= set(self.stock) or (effects_keep and effects_keep.isdisjoint(self.stock)):
            raise ModelError(
                f"the model of {model.game} can't be written as a program",
                found="pieces that join a reserve which the initial position does not list",
                expected="an initial reserve that lists them, if with a count of 0",
            )

    def program(self, positions: Sequence[Literal], turns: Sequence[Literal]) -> Program:
        """All sections; what rules need of turns is known once they are written."""
        shapes = Shapes(self.model)
        longest, twins = shapes.longest(), shapes.twins()
        self.circular = shapes.circular
        restrictions, endings, control = self.ask(positions, turns, twins=twins)
        needs = self.definitions.needs | ({"twins"} if twins else set())
        sections = [
            (f"{' '.join(self.model.game.split())}, as learned from records", self._head()),
            ("Players, squares, pieces", self._things(longest)),
            ("The automata", self._automata()),
            ("The position", self._position(needs)),
            ("How turns come about", self._turns(needs)),
        ]
        if self.effects:
            facts = effects.effect_facts(self.model, self.names)
            rules = effects.meeting(self.model, self.definitions)
            sections.append(("What turns bring about", f"{facts}\n\n{rules}"))
        if any(need.startswith("reply") for need in needs):
            sections.append(("What other players could do", self._replies(needs)))
        if self.definitions.blocks:
            sections.append(("What rules speak of", self.definitions.text()))
        sections.append(("Which turns are legal", restrictions))
        if any(need.startswith("later") for need in needs):
            sections.append(("What the turn played leaves", self._later(needs, sections)))
        sections.append(("When the game is over, and for whom", endings))
        sections.append(("What a turn leads to", f"{self._next(needs)}\n\n{control}"))
        changes = effects.most_changes(self.model, longest)
        return Program(self.model, tuple(sections), self.definitions, longest, changes)

    def ask(
        self,
        positions: Sequence[Literal] = (),
        turns: Sequence[Literal] = (),
        *,
        twins: bool = False,
    ) -> tuple[str, str, str]:
        """What the rules say of turns, of endings, and of who moves next."""
        restrictions, final = self._restrictions(twins)
        for literal in turns:
            self.definitions.turn(literal.feature, final)
        for literal in positions:
            self.definitions.position(literal.feature)
        return restrictions, self._endings(), self._control()

    # What there is ---------------------------------------------------------------------------

    def _head(self) -> str:
        begun = (
            [self.names.cell(holds) for _, holds in self.ordering.begun] if self.ordering else []
        )
        machines = "LOCM's machines are left out, for which no records speak."
        if begun:
            machines = (
                f"LOCM's machines are those for turns that begin on {', '.join(sorted(begun))}; "
                "for others no records speak."
            )
        return "\n".join(
            f"% {line}"
            for line in textwrap.wrap(
                "The facts true/1 of a state and does/2 of a turn give legal/2, next/1, terminal/0 "
                "and goal/2. Turns are terms: then(from(c3),step(1,1,e)) is the turn c3 (1 1 e). "
                "W stands for positions, M and N for players, S and R for squares, C for contents, "
                "T, U and P for turns and their beginnings. "
                + (machines if self.model.machines else ""),
                94,
            )
        )

    def _things(self, longest: int) -> str:
        in_hand = sum(count for _, _, count in self.model.initial.stock)
        limit = max(self.model.equipment.board.size + in_hand, longest) + 1
        limit += self.model.segments if self.effects else 0
        return things(
            self.model.equipment, self.names, self.stock, limit, self.fluents(self.model.initial)
        )

    def fluents(self, position: Position) -> list[str]:
        """The state of a position, as terms; what rules don't ask for is left out."""
        return fluents_of(position, self.setting, self.definitions.needs)

    @cached_property
    def ordering(self) -> Ordering | None:
        """The machines and ties that bind."""
        found = Ordering(self.model, self.names)
        return found if found.begun else None

    # A position and its turns ----------------------------------------------------------------

    def _position(self, needs: set[str]) -> str:
        worlds = [int(need.split()[1]) for need in sorted(needs) if need.startswith("stuck ")]
        parts = [
            "board(now,S,C) :- true(cell(X,Y,C)), square(S,X,Y).\nplays(now,M) :- true(control(M))."
        ]
        if self.stock:
            parts.append("reserve(now,M,C,N) :- true(hand(M,C,N)).")
        for seat in worlds:
            world = f"seat({seat})"
            text = (
                f"% {world}: the same position with the player {seat} later to move.\n"
                f"board({world},S,C) :- board(now,S,C).\n"
                f"plays({world},N) :- plays(now,M), seat(M,{seat},N)."
            )
            if self.stock:
                text += f"\nreserve({world},M,C,N) :- reserve(now,M,C,N)."
            parts.append(text)
        parts.append(
            "position(W) :- plays(W,M).\nmover(W,M) :- plays(W,M).\ncell(W,S,C) :- board(W,S,C)."
        )
        if self.stock:
            parts.append("hand(W,M,C,N) :- reserve(W,M,C,N).")
        if "moved" in needs:
            parts.append("moved(W,S) :- plays(W,_), true(moved(X,Y)), square(S,X,Y).")
        for role, back in recalled(needs):
            before = f"last({role},{back},X,Y)"
            parts.append(f"last(W,{role},{back},S) :- plays(W,_), true({before}), square(S,X,Y).")
        for role in recalled_own(needs):
            parts.append(
                f"own(W,{role},M,S) :- plays(W,_), true(own({role},M,X,Y)), square(S,X,Y).\n"
                f"last(W,{role},{OWN},S) :- plays(W,M), own(W,{role},M,S)."
            )
        if passed(needs):
            parts.append("passed(W,N) :- plays(W,_), true(passed(N)).")
        return "\n".join(parts)

    def _automata(self) -> str:
        text = walks.automata(self.model, self.names)
        if self.ordering is not None:
            text += f"\n\n{self.ordering.facts()}"
        if self.circular:
            text += f"\n\n{walks.circular(self.model, self.circular, self.names)}"
        return text

    def _walking(self) -> str:
        links = self.model.equipment.board.links is not None
        stocked, circles = bool(self.stock), bool(self.circular)
        return walks.walking(self.model, links=links, stocked=stocked, circles=circles)

    def _coming(self, *, grows: bool) -> str:
        """How turns come about in any position, what they bring about left out.

        With how words grow, where that is asked for.
        """
        ordered = self.ordering is not None
        parts = [self._walking(), walks.outcome(self.model, ordered=ordered)]
        if grows or ordered or effects.passes_over(self.model):
            parts.append(paths.growth(self.several))
        if self.ordering is not None:
            parts.append(self.ordering.rules())
        if self.effects:
            stocked = bool(self.stock)
            parts.append(effects.adding(self.model, self.definitions, stocked=stocked))
        return "\n\n".join(parts)

    def _turns(self, needs: set[str]) -> str:
        links = self.model.equipment.board.links is not None
        for dx, dy in sorted(
            {
                (x.dx, x.dy)
                for d in self.model.automata
                for _, x, _ in d.transitions
                if x.kind is Kind.STEP and not x.fly
            }
        ):
            self.definitions.away(dx, dy)
        if links:
            self.definitions.link()
            self.definitions.define("goes", "", "goes(S,X,Y,R) :- away(S,X,Y,R), link(S,R).")
        grows = paths.asks_growth(needs, self.several)
        parts = [walks.SIGHT, walks.HANDS, self._coming(grows=grows)]
        for comment, rules in paths.role_rules(needs, self.several, self.effects):
            parts.append(f"% {comment}\n{rules}")
        passages = [word in needs for word in ("passage", "repassage")]
        if any(passages):
            rules, unflown = paths.strides(self.model, twice=passages[1])
            text = f"% The squares that the hand passes in the first segment.\n{rules}"
            if passages[0]:
                text += f"\npassage(W,T,S) :- opening(W,T,P), strode(W,P,S){unflown}."
            if passages[1]:
                text += f"\nrepassage(W,T,S) :- opening(W,T,P), restrode(W,P,S){unflown}."
            parts.append(text)
        if "removal" in needs:
            text = paths.removals(self.several)
            turn, word = ("whole(W,T,U)", "U") if self.effects else ("turn(W,T)", "T")
            text += f"\nremoval(W,T,S) :- {turn}, removes(W,{word},S)."
            if self.effects:
                text += "\nremoval(W,T,S) :- whole(W,T,U), hit(W,U,S,remove)."
                text += "\nremoval(W,T,S) :- whole(W,T,U), hit(W,U,S,keep(C))."
            parts.append(f"% The squares on which a turn removes pieces.\n{text}")
        if needs & {
            "letter",
            "kind",
            "steps",
            "drop",
            "taken",
            "moved",
            "passage",
            "repassage",
            "removal",
            "meets",
        } or effects.passes_over(self.model):
            parts.append(f"{paths.KINDS}\n{effects.kind_facts(self.model, self.names)}".rstrip())
        options = "% What can be played: turns, and a pass where there are passes.\n"
        options += "option(W,T) :- turn(W,T)."
        if self.model.passes:
            options += "\noption(W,pass) :- plays(W,M), passes(M,_)."
            kinds = [f"passes({self.names.player[p]},{k})." for p, k in self.model.passes.items()]
            options += "\n" + "\n".join(filled(kinds))
            for need in ("segments", "steps"):
                if need in needs:
                    options += f"\n{need}(W,pass,0) :- option(W,pass)."
        parts.append(options)
        if "after" in needs:
            left = self.left if self.stock else ""
            parts.append(worlds.after(needs, left, passes=bool(self.model.passes)))
        if "midway" in needs:
            text = paths.midway(self.several, bool(self.stock))
            parts.append(text + worlds.earlier(needs, "midway(W,P)", "broken(W,P)"))
        return "\n\n".join(parts)

    def _replies(self, needs: set[str]) -> str:
        body = read_rules(self._coming(grows="halt" in needs and self.several))
        if self.effects:
            body += read_rules(effects.meeting(self.model, self.definitions))
        if "halt" in needs:
            body += read_rules(paths.halting(self.several, self.effects))
        return worlds.replies(needs, body, stocked=bool(self.stock))

    def _later(self, needs: set[str], sections: Sequence[tuple[str, str]]) -> str:
        known = [rule for _, body in sections for rule in read_rules(body)]
        return worlds.later(needs, known, self.left if self.stock else "")

    # Rules -----------------------------------------------------------------------------------

    def _body(self, body: Sequence[Literal], alive: str, at: str) -> str:
        found = []
        for feature, holds in body:
            name = (
                self.definitions.position(feature)
                if at == "now"
                else self.definitions.turn(feature, alive)
            )
            found.append(f"{'' if holds else 'not '}{name}({at})")
        return ", ".join(found)

    def _said(self, kind: str, rule: Rule) -> str:
        doubt = ", provisional" if rule.provisional else ""
        said = self.english.sentence(kind, rule)
        tail = f"Positions for it: {rule.support}, against: {rule.against}{doubt}."
        return "\n".join(f"% {line}" for line in textwrap.wrap(f"{said} {tail}", 94))

    def _restrictions(self, twins: bool) -> tuple[str, str]:
        """The rules that forbid turns, and the predicate of the turns that they leave."""
        parts, alive = [], "turn"
        for number, rule in enumerate(self.rules.restrictions, 1):
            body = self._body(rule.body, alive, "W,T")
            after = f"left_by_{number}"
            parts.append(
                f"{self._said('restriction', rule)}\n"
                f"forbidden_{number}(W,T) :- {alive}(W,T){', ' if body else ''}{body}.\n"
                f"{after}(W,T) :- {alive}(W,T), not forbidden_{number}(W,T)."
            )
            alive = after
        kept = f"{alive}(now,T)"
        if twins:
            kept = "kept(T)"
            stocked = bool(self.stock)
            parts.append(paths.twin_rules(self.model, self.names, alive, stocked=stocked))
        parts.append(
            f"able(W) :- {alive}(W,T).\n"
            f"legal(M,T) :- {kept}, plays(now,M), not over.\n"
            "legal(M,noop) :- role(M), not true(control(M))."
        )
        if "free" in self.model.passes.values():
            parts.append(self._free_passes(alive))
        if "forced" in self.model.passes.values():
            parts.append(
                "legal(M,pass) :- plays(now,M), passes(M,forced), not able(now), not over."
            )
        return "\n\n".join(parts), alive

    def _free_passes(self, alive: str) -> str:
        """The rules that forbid a pass, in sight of the turns that restrictions leave."""
        parts = []
        for number, rule in enumerate(self.rules.passing, 1):
            body = self._body(rule.body, alive, "now,pass")
            parts.append(
                f"{self._said('pass', rule)}\n"
                f"barred_{number} :- {', '.join(filter(None, ('option(now,pass)', body)))}.\n"
                f"barred :- barred_{number}."
            )
        barred = ", not barred" if parts else ""
        parts.append(f"legal(M,pass) :- plays(now,M), passes(M,free){barred}, not over.")
        return "\n\n".join(parts)

    def _endings(self) -> str:
        parts = []
        for number, rule in enumerate(self.rules.endings, 1):
            body = self._body(rule.body, "", "now")
            text = (
                f"{self._said('ending', rule)}\n"
                f"ending_{number} :- {', '.join(filter(None, ('position(now)', body)))}.\n"
                f"over :- ending_{number}."
            )
            first = "".join(f", not ending_{before}" for before in range(1, number))
            for seat, goal in enumerate(rule.value):
                given = f"ending_{number}, plays(now,M), seat(M,{seat},N){first}"
                if isinstance(goal, Score):
                    counted = scores.rules(self.definitions, goal, "goal(N,{})", given)
                    text += "".join(f"\n{line}" for line in counted)
                else:
                    text += f"\ngoal(N,{goal}) :- {given}."
            parts.append(text)
        text = "% The game is over too when there is no turn left.\nmovable :- able(now)."
        if self.rules.passing and "free" in self.model.passes.values():
            text += "\nmovable :- plays(now,M), passes(M,forced)."
            text += "\nmovable :- plays(now,M), passes(M,free), not barred."
        elif self.model.passes:
            text += "\nmovable :- plays(now,M), passes(M,_)."
        text += "\nterminal :- over.\nterminal :- not movable."
        parts.append(text)
        if not self.rules.endings:
            parts.append("% The model knows no other ending, and no goals.")
        return "\n\n".join(parts)

    def _control(self) -> str:
        """A turn that is played has no rivals any more."""
        parts = []
        first = ""
        for number, rule in enumerate(self.rules.control, 1):
            body = self._body(rule.body, "rival", "W,T")
            parts.append(
                f"{self._said('control', rule)}\n"
                f"control_{number}(W,T) :- option(W,T){', ' if body else ''}{body}.\n"
                f"next(control(N)) :- does(M,T), plays(now,M), seat(M,{rule.seat},N),\n"
                f"    control_{number}(now,T){first}."
            )
            first += f", not control_{number}(now,T)"
        parts.append(
            "% The next player in turn order moves.\n"
            f"next(control(N)) :- does(M,T), option(now,T), plays(now,M), follows_on(M,N){first}."
        )
        return "\n\n".join(parts)

    def _next(self, needs: set[str]) -> str:
        parts = [
            "next(cell(X,Y,C)) :- does(M,T), changed(now,T,S,C), square(S,X,Y).\n"
            "% What the turn leaves as it was, square by square and not turn by turn.\n"
            "played :- does(M,T), option(now,T).\n"
            "disturbed(S) :- does(M,T), altered(now,T,S).\n"
            "next(cell(X,Y,C)) :- played, board(now,S,C), not disturbed(S), square(S,X,Y)."
        ]
        if self.stock:
            text = f"""next(hand(M,C,N)) :- does(M,T), option(now,T), {self.left}(now,T,C,N).
next(hand(N,C,K)) :- does(M,T), option(now,T), true(hand(N,C,K)), N != M."""
            if self.model.passes:
                text += "\nnext(hand(M,C,N)) :- does(M,pass), option(now,pass), true(hand(M,C,N))."
            parts.append(text)
        if "moved" in needs:
            parts.append(paths.moved_rules(self.several, self.effects))
        for role, back in recalled(needs):
            now = f"next(last({role},{back},X,Y))"
            if back == 1:
                parts.append(f"{now} :- does(M,T), {role[:-1]}(now,T,1,S), square(S,X,Y).")
            else:
                parts.append(f"{now} :- true(last({role},{back - 1},X,Y)).")
        for role in recalled_own(needs):
            parts.append(
                f"next(own({role},M,X,Y)) :- does(M,T), {role[:-1]}(now,T,1,S), square(S,X,Y).\n"
                f"next(own({role},N,X,Y)) :- true(own({role},N,X,Y)), does(M,_), N != M."
            )
        for number in passed(needs):
            before = f", true(passed({number - 1}))" if number > 1 else ""
            parts.append(f"next(passed({number})) :- does(M,pass), option(now,pass){before}.")
        return "\n\n".join(parts)


def fluents(
    model: Model,
    position: Position,
    positions: Sequence[Literal] = (),
    turns: Sequence[Literal] = (),
) -> list[str]:
    """The state of a position, as the terms of which `build` with the same literals speaks."""
    builder = _Builder(model, chains=False)
    builder.ask(positions, turns)
    return builder.fluents(position)
