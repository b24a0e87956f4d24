"""Lists of rules in C: what restrictions leave, endings, who moves next, and who may pass.

The order in which the literals of a rule are asked makes no difference to what it covers: those on
the position come first, then what is cheap, relations, and what asks for further turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grl.errors import NotCompiled
from grl.model import Feature, Literal, Rule, Rules
from grl.rules.code.rivals import Relations
from grl.rules.code.source import Source
from grl.rules.features.levels import asks, first_level
from grl.rules.templates import RELATIONS, scores


class Body(NamedTuple):
    """The literals of a rule on turns, by when they are asked.

    `position`, `cheap` and `asking` are expressions; the literals of `related` and `asked` are
    relations, those of `asked` between what turns leave.
    """

    position: str
    cheap: str
    related: tuple[tuple[str, bool], ...]
    asking: str
    asked: tuple[tuple[str, bool], ...]


class RuleLists:
    """The functions of a model's lists of rules; raises `NotCompiled` where there can be none."""

    def __init__(self, source: Source, rules: Rules) -> None:
        self._source = source
        self.rivals = Relations(source)
        self.texts = [
            *self._restrictions(rules.restrictions),
            *self._endings(rules.endings),
            *self._control(rules.control),
            *self._passing(rules.passing),
        ]

    def _restrictions(self, rules: Sequence[Rule]) -> list[str]:
        texts, calls = [], []
        first = len(first_level(rules))
        for number, rule in enumerate(rules):
            for literal in rule.body:
                if _looks_for_turns(literal.feature):
                    raise NotCompiled(
                        f"restriction {number + 1} asks who has turns before restrictions are known"
                    )
            texts.append(self._restriction(number, rule))
            guard = "if (level > 1) " if number >= first else ""
            calls.append(f"  {guard}forbid_{number}(l);")
        head = "static UNUSED void restrict_turns(List *l, int level) {\n  (void)level;"
        return [*texts, "\n".join([head, "  afresh(l);", *calls, "}"])]

    def _restriction(self, number: int, rule: Rule) -> str:
        body = self._body(rule.body)
        lines = [f"static void forbid_{number}(List *l) {{"]
        if not body.related and not body.asked:
            if body.position != "1":
                lines.append(f"  if (!({body.position})) return;")
            test = _both("l->alive[i]", body.cheap, body.asking)
            lines.append(f"  for (int i = 0; i < l->size; i++) if ({test}) l->alive[i] = 0;")
            return "\n".join([*lines, "}"])
        lines += ["  u8 *found = layer(l, 0);", "  int some = 0;"]
        if body.position != "1":
            lines.append(f"  if (!({body.position})) return;")
        lines += [
            "  for (int i = 0; i < l->size; i++) "
            f"some |= found[i] = {_both('l->alive[i]', body.cheap)};",
            "  if (!some) return;",
            *(f"  {name}(l, found, {int(holds)});" for name, holds in body.related),
        ]
        if body.asking != "1":
            lines.append(
                "  for (int i = 0; i < l->size; i++) "
                f"if (found[i]) found[i] = {_both(body.asking)};"
            )
        lines += [f"  {name}(l, found, {int(holds)});" for name, holds in body.asked]
        lines.append("  for (int i = 0; i < l->size; i++) if (found[i]) l->alive[i] = 0;")
        return "\n".join([*lines, "}"])

    def _endings(self, rules: Sequence[Rule]) -> list[str]:
        lines = [
            "static UNUSED int ending_of(Case *c, int stuck) {",
            "  for (int p = 0; p < PLAYERS; p++) c->stuck[p] = 0;",
            "  if (stuck >= 0) c->stuck[0] = (u8)(1 + (stuck != 0));",
        ]
        for number, rule in enumerate(rules):
            literals = sorted(rule.body, key=lambda each: self._source.effort(each.feature))
            tests = [
                _literal(f"{self._source.position(feature)}(c)", holds)
                for feature, holds in literals
            ]
            lines.append(f"  if ({_both(*tests)}) return {number};")
        return ["\n".join([*lines, "  return -1;", "}"]), *self._goals(rules)]

    def _goals(self, rules: Sequence[Rule]) -> Iterator[str]:
        """The function of goals that are counted, if there are any."""
        if not any(rule.counted for rule in rules):
            return
        lines = [
            "#define COUNTED_GOALS 1",
            "INLINE int limited(int goal) { return goal < 0 ? 0 : goal > 100 ? 100 : goal; }",
            "static int counted_goal(Case *c, int ending, int seat) {",
            "  Ground *g = &c->ground;",
            "  const Squares *t = 0;",
            "  (void)g, (void)t;",
        ]
        for number, rule in enumerate(rules):
            lines += [
                f"  if (ending == {number}) {{",
                *(f"    {line}" for line in scores.code(self._source, rule)),
                "  }",
            ]
        yield "\n".join([*lines, "  return -1;", "}"])

    def _control(self, rules: Sequence[Rule]) -> list[str]:
        players = len(self._source.players)
        lines = ["static UNUSED int next_seat(List *l, int i) {", "  (void)i;"]
        if rules:
            lines += [
                "  l->left_of = l->after_of = NONE;",
                "  for (int p = 0; p < PLAYERS; p++) l->before.stuck[p] = 0;",
            ]
        for rule in rules:
            body = self._body(rule.body, alone=True)
            test = _both(body.position, body.cheap, body.asking)
            lines.append(f"  if ({test}) return {rule.seat % players};")
        return ["\n".join([*lines, f"  return {1 % players};", "}"])]

    def _passing(self, rules: Sequence[Rule]) -> list[str]:
        texts = []
        for number, rule in enumerate(rules):
            body = self._body(rule.body)
            lines = [
                f"static int bars_{number}(List *l, int i) {{",
                f"  if (!({_both(body.position, body.cheap)})) return 0;",
            ]
            if body.related or body.asked:
                lines += [
                    "  u8 *found = layer(l, 0);",
                    "  for (int k = 0; k < l->size; k++) found[k] = k == i;",
                    *(f"  {name}(l, found, {int(holds)});" for name, holds in body.related),
                    *(f"  {name}(l, found, {int(holds)});" for name, holds in body.asked),
                    "  if (!found[i]) return 0;",
                ]
            texts.append("\n".join([*lines, f"  return {_both(body.asking)};", "}"]))
        if not rules:
            return [
                "static UNUSED int pass_barred(List *l, int stuck) {\n"
                "  (void)l; (void)stuck;\n  return 0;\n}",
            ]
        calls = " || ".join(f"bars_{number}(l, i)" for number in range(len(rules)))
        texts.append(
            "static UNUSED int pass_barred(List *l, int stuck) {\n"
            "  int i = with_pass(l, stuck), barred;\n"
            f"  barred = {calls};\n"
            "  l->size--;\n"
            "  return barred;\n"
            "}"
        )
        return texts

    def _body(self, body: Sequence[Literal], *, alone: bool = False) -> Body:
        """The literals of a rule; with `alone` the turn has no rivals, and no relation holds."""
        position: list[str] = []
        cheap: list[str] = []
        asking: list[str] = []
        related: list[tuple[str, bool]] = []
        asked: list[tuple[str, bool]] = []
        for feature, holds in sorted(body, key=lambda each: self._source.effort(each.feature)):
            if feature[0] == "before":
                name = self._source.position(feature[1])
                position.append(_literal(f"{name}(&l->before)", holds))
            elif feature[0] in RELATIONS and alone:
                cheap.append(_literal("0", holds))
            elif feature[0] in RELATIONS:
                relation = self.rivals.relation(feature), holds
                (asked if asks(feature) else related).append(relation)
            else:
                test = _literal(f"{self._source.turn(feature)}(l, i)", holds)
                (asking if asks(feature) else cheap).append(test)
        return Body(_both(*position), _both(*cheap), (*related,), _both(*asking), (*asked,))


def _literal(test: str, holds: bool) -> str:
    return test if holds else f"!{test}"


def _both(*tests: str) -> str:
    return " && ".join(test for test in tests if test != "1") or "1"


def _looks_for_turns(feature: Feature) -> bool:
    """Whether a feature asks who is stuck before the turn."""
    if feature[0] == "before" and feature[1][0] == "stuck":
        return True
    return any(_looks_for_turns(part) for part in feature[1:] if isinstance(part, tuple) and part)
