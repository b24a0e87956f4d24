"""What kind of turn it is: what it begins with, takes and brings, and its letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grl.errors import NotCompiled
from grl.logic.contents import NOTHING
from grl.logic.english import amounts, joined
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.relations import taken
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, Template, TurnTest, compared
from grl.rules.templates.writers import Definitions, English, Source
from grl.turn import Kind

DOES: Final = {
    "e": "steps to an empty square",
    "w": "steps onto a piece of the mover",
    "p": "steps onto a piece of an opponent",
    "n": "steps onto a neutral piece",
    "d": "removes a piece",
    "a": "makes a piece appear",
    "r": "puts a piece into the reserve",
    "fly": "flies",
}
KIND: Final = sorts.words("kind of letter", *DOES)
MOST_KINDS: Final = 64
"""Kinds of pieces that the bits of a turn have room for in C."""


# Contents: what it begins with, takes, and brings -------------------------------------------------


def _moves(setting: Setting, what: str) -> TurnTest:
    def test(case: TurnCase) -> bool:
        before, starts = case.before, case.candidate.starts
        return bool(starts) and before.cells[starts[0]] in setting.keys(before.to_move, what)

    return test


def _moves_phrases(say: English, what: str) -> Phrases:
    thing = f"{'on' if what == NOTHING else 'with'} {say.thing(what)}"
    return f"it begins {thing}", f"it does not begin {thing}"


def _moves_code(c: Source, what: str) -> str:
    there = "l->before.ground.empty" if what == NOTHING else c.holding(what, c.before, c.mover)
    return f"return {c.start} != NONE && set_has({there}, {c.start});"


MOVES = Template(
    "moves",
    (sorts.CONTENT,),
    evaluate=_moves,
    phrases=_moves_phrases,
    rules=lambda asp, name, what: f"{name}(W,T) :- {asp.role('start1')}, {asp.on(what, 'W', 'S')}.",
    code=_moves_code,
)
"""Whether the turn begins on a square that holds `what`."""


def _takes_phrases(say: English, what: str) -> Phrases:
    if what == NOTHING:
        return "it leaves fewer empty squares", "it does not leave fewer empty squares"
    return f"it takes {say.thing(what)}", f"it does not take {say.thing(what)}"


def exchange(asp: Definitions, what: str) -> tuple[str, str]:
    """In ASP how many of the squares that a turn touches held `what`, and how many hold it now."""
    plain = asp.names.content(what)
    held = f"{plain}_held(W,T,S) :- altered(W,T,S), {asp.on(what, 'W', 'S')}."
    held = asp.define(f"{plain}_held", "", held)
    lost = asp.tally(f"{plain}_lost", "W,T", "option(W,T)", f"{held}(W,T,S)")
    put = f"{plain}_put(W,T,S) :- changed(W,T,S,C), mover(W,M), {asp.of(what, 'M', 'C')}."
    put = asp.define(f"{plain}_put", "", put)
    return lost, asp.tally(f"{plain}_gained", "W,T", "option(W,T)", f"{put}(W,T,S)")


def _takes_rules(asp: Definitions, name: str, what: str) -> str:
    lost, gained = exchange(asp, what)
    return f"{name}(W,T) :- {lost}(W,T,N), {gained}(W,T,M), M < N."


def fewer(c: Source, what: str) -> str:
    """In C by how many `what` has become fewer."""
    before, after = (c.holding(what, pieces, c.mover) for pieces in (c.before, c.after))
    return f"set_count({before}) - set_count({after})"


TAKES = Template(
    "takes",
    (sorts.CONTENT,),
    evaluate=lambda setting, what: lambda case: taken(case, what) > 0,
    phrases=_takes_phrases,
    rules=_takes_rules,
    code=lambda c, what: f"return {fewer(c, what)} > 0;",
    effort=2,
)
"""Whether fewer of `what` are on the board after the turn."""


def _named(setting: Setting, kind: Kind, what: str) -> TurnTest:
    """Whether the turn has a letter of a kind that names `what`."""

    def test(case: TurnCase) -> bool:
        keys = setting.keys(case.before.to_move, what)
        return any(letter.kind is kind and letter.piece in keys for letter in case.letters)

    return test


def _named_rules(asp: Definitions, name: str, letter: str, what: str) -> str:
    asp.needs.add("letter")
    return f"{name}(W,T) :- letter(W,T,{letter}(C)), mover(W,M), {asp.of(what, 'M', 'C')}."


def _named_code(c: Source, where: str, what: str) -> str:
    if len(c.keys) > MOST_KINDS:
        raise NotCompiled(
            "more kinds of pieces than a turn has room for",
            found=str(len(c.keys)),
            expected=f"at most {MOST_KINDS}",
        )
    masks = [sum(1 << kind for kind in kinds) for kinds in c.kinds(what)]
    if len(set(masks)) == 1:
        return f"return (l->turns[i].{where} & {masks[0]:#x}ULL) != 0;"
    table = c.named(
        tuple(masks),
        "kinds",
        lambda name: f"static const u64 {name}[] = {{{', '.join(f'{m:#x}ULL' for m in masks)}}};",
    )
    return f"return (l->turns[i].{where} & {table}[{c.mover}]) != 0;"


def _naming(name: str, kind: Kind, letter: str, does: Phrases) -> Template:
    return Template(
        name,
        (sorts.CONTENT,),
        evaluate=lambda setting, what: _named(setting, kind, what),
        phrases=lambda say, what: (f"{say.thing(what)} {does[0]}", f"{say.thing(what)} {does[1]}"),
        rules=lambda asp, predicate, what: _named_rules(asp, predicate, letter, what),
        code=lambda c, what: _named_code(c, name, what),
        effort=0,
        of_letters=True,
    )


APPEARS = _naming("appears", Kind.APPEAR, "appear", ("appears", "does not appear"))
"""Whether `what` appears in the course of the turn, by a letter ``a``."""
KEEPS = _naming("keeps", Kind.RESERVE, "keep", ("joins the reserve", "does not join the reserve"))
"""Whether `what` joins the mover's reserve, by a letter ``r``."""
_PARTS: Final = {
    MOVES: "begins with",
    TAKES: "takes",
    APPEARS: "makes",
    KEEPS: "keeps",
}
"""Templates that ask what a part of a turn is, by the name of a content alone; what each does."""
_PART: Final = {template.name: template for template in _PARTS}
OF_CONTENTS: Final = tuple(_PART)
PART: Final = sorts.words("part of a turn", *OF_CONTENTS)
Pairs = tuple[tuple[str, str], ...]


def _otherwise(setting: Setting, given: str, named: str, pairs: Pairs) -> TurnTest:
    tests = [
        (_PART[given].evaluate(setting, one), _PART[named].evaluate(setting, other))
        for one, other in pairs
    ]
    return lambda case: any(one(case) and not other(case) for one, other in tests)


def _otherwise_phrases(say: English, given: str, named: str, pairs: Pairs) -> Phrases:
    sources: dict[str, list[str]] = {}
    for one, other in pairs:
        sources.setdefault(other, []).append(say.thing(one))
    each = [f"for {joined(ones)} {say.thing(other)}" for other, ones in sources.items()]
    table = ", ".join(each)
    one, other = _PARTS[_PART[given]], _PARTS[_PART[named]]
    return (
        f"what it {other} is not what belongs to what it {one}: {table}",
        f"what it {other} is what belongs to what it {one}: {table}",
    )


def _otherwise_rules(asp: Definitions, name: str, given: str, named: str, pairs: Pairs) -> str:
    rules = [
        f"{name}(W,T) :- {asp.turn((given, one))}(W,T), not {asp.turn((named, other))}(W,T)."
        for one, other in pairs
    ]
    return "\n".join(rules)


def _otherwise_code(c: Source, given: str, named: str, pairs: Pairs) -> str:
    tests = [(c.turn((given, one)), c.turn((named, other))) for one, other in pairs]
    return f"return {' || '.join(f'({a}(l, i) && !{b}(l, i))' for a, b in tests) or '0'};"


def _otherwise_effort(given: str, named: str, pairs: Pairs) -> int:
    one = _PART[given].effort
    assert isinstance(one, int)
    return len(pairs) * one


OTHERWISE = Template(
    "otherwise",
    (PART, PART, sorts.PAIRS),
    evaluate=_otherwise,
    phrases=_otherwise_phrases,
    rules=_otherwise_rules,
    code=_otherwise_code,
    effort=_otherwise_effort,
)
"""Whether the template `given` holds of the turn with the first of a pair, and `named` does not
with the second: a part of the turn is another than what a table has for it."""

# Letters -----------------------------------------------------------------------------------------


def _letter(setting: Setting, kind: str) -> TurnTest:
    if kind == "fly":
        return lambda case: any(letter.fly for letter in case.letters)
    return lambda case: any(letter.on == kind for letter in case.letters)


def _letter_rules(asp: Definitions, name: str, kind: str) -> str:
    asp.needs |= {"letter", "kind"}
    return f"{name}(W,T) :- letter(W,T,L), kind(L,{kind})."


LETTER = Template(
    "letter",
    (KIND,),
    evaluate=_letter,
    phrases=lambda say, kind: (
        f"it {DOES[kind]} on its way",
        f"it nowhere {DOES[kind]} on its way",
    ),
    rules=_letter_rules,
    code=lambda c, kind: f"return (l->turns[i].letters & IS_{kind.upper()}) != 0;",
    effort=0,
    of_letters=True,
)
"""Whether the turn has a letter of this kind: e w p n d r, or ``fly``."""


def _opens(setting: Setting, kind: str) -> TurnTest:
    def test(case: TurnCase) -> bool:
        if not case.letters:
            return False
        first = case.letters[0]
        return first.fly if kind == "fly" else first.on == kind and not first.fly

    return test


def _opens_rules(asp: Definitions, name: str, kind: str) -> str:
    asp.needs |= {"lead", "kind"}
    only = "" if kind == "fly" else ", not kind(L,fly)"
    return f"{name}(W,T) :- lead(W,T,L), kind(L,{kind}){only}."


OPENS = Template(
    "opens",
    (KIND,),
    evaluate=_opens,
    phrases=lambda say, kind: (
        f"it begins as one that {DOES[kind]}",
        f"it does not begin as one that {DOES[kind]}",
    ),
    rules=_opens_rules,
    code=lambda c, kind: f"return l->turns[i].opens == IS_{kind.upper()};",
    effort=0,
    of_letters=True,
)
"""Whether the turn's first letter is of this kind."""


def _number_phrases(op: str, number: int, noun: str) -> Phrases:
    few, many = amounts(op, number)
    things = noun if op == "=" and number == 1 else f"{noun}s"
    if op == "=":
        if number == 0:
            return f"it has no {things}", f"it has {things}"
        return f"it has exactly {few} {things}", f"it does not have exactly {few} {things}"
    return f"it has {few} {things}", f"it has {many} {things}"


def _number_rules(asp: Definitions, name: str, number_of: str, op: str, number: int) -> str:
    asp.needs.add(number_of)
    return f"{name}(W,T) :- option(W,T), {number_of}(W,T,N), N {op} {number}."


def _numbering(things: str, count: Callable[[TurnCase], int]) -> Template:
    return Template(
        things,
        (sorts.COMPARISON, sorts.NUMBER),
        evaluate=lambda setting, op, number: compared(count, op, number),
        phrases=lambda say, op, number: _number_phrases(op, number, things[:-1]),
        rules=lambda asp, name, op, number: _number_rules(asp, name, things, op, number),
        code=lambda c, op, number: f"return l->turns[i].{things} {c.signs[op]} {number};",
        effort=0,
        of_letters=True,
    )


SEGMENTS = _numbering("segments", lambda case: len(case.candidate.starts))
"""How many segments the turn has."""
STEPS = _numbering("steps", lambda case: sum(letter.kind is Kind.STEP for letter in case.letters))
"""How many steps the hand makes, flights included."""

OF_TURNS = (*_PARTS, OTHERWISE, LETTER, OPENS, SEGMENTS, STEPS)
