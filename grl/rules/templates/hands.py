"""How many pieces are in hand, or there and on the board together, in ASP and in C."""

from __future__ import annotations

from collections.abc import Sequence

from grl.board import Player
from grl.logic.contents import held_of
from grl.rules.templates.writers import Definitions, Source

# In ASP ------------------------------------------------------------------------------------------


def number_rules(asp: Definitions, zone: str, content: str) -> str:
    """The predicate ``…(W,N)``: N of a content are in hand, or in hand and on the board."""
    name = f"{asp.names.content(content)}_in_{zone}"
    if asp.known(name):
        return name
    if zone == "hand":
        return _in_hand(asp, name, content)
    thing = asp.names.content(content)
    board = asp.tally(f"{thing}_on_board", "W", "position(W)", asp.on(content, "W", "S"))
    hand = number_rules(asp, "hand", content)
    return asp.define(
        name, "", f"{name}(W,N) :- {board}(W,B), {hand}(W,H), {plus(asp, 'B', 'H', 'N')}."
    )


def _in_hand(asp: Definitions, name: str, content: str) -> str:
    """What is counted are facts: whose hands, and which pieces, in the eyes of who moves."""
    equipment = asp.setting.equipment
    facts, stock = [], []
    for player, key in asp.stock:
        movers = [m for m in equipment.players if held_of(equipment, m, content)(player, key)]
        stock += [(player, key)] if movers else []
        held = f"{asp.names.player[player]},{asp.names.cell(key)}"
        facts += [f"{name}_counts({asp.names.player[mover]},{held})." for mover in movers]
    if not stock:
        return asp.define(name, "", f"{name}(W,0) :- position(W).")
    asp.define(f"{name}_counts", "", " ".join(facts))
    if asp.chains:
        return _hand_chain(asp, name, stock)
    summed = f"K,P,C : mover(W,M), {name}_counts(M,P,C), hand(W,P,C,K)"
    return asp.define(name, "", f"{name}(W,N) :- position(W), N = #sum{{{summed}}}.")


def _hand_chain(asp: Definitions, name: str, stock: Sequence[tuple[Player, str]]) -> str:
    rules = []
    for number, (player, key) in enumerate(stock):
        held = f"{asp.names.player[player]},{asp.names.cell(key)}"
        hand = f"mover(W,M), {name}_counts(M,{held}), hand(W,{held}"
        head, has = f"{name}_upto(W,{number}", f"{name}_has(W,{number})"
        rules.append(f"{has} :- {hand},N).")
        if not number:
            rules.append(f"{head},N) :- position(W), {hand},N).")
            rules.append(f"{head},0) :- position(W), not {has}.")
            continue
        before, sum_ = f"{name}_upto(W,{number - 1}", plus(asp, "A", "B", "N")
        rules.append(f"{head},N) :- {before},A), {hand},B), {sum_}.")
        rules.append(f"{head},N) :- {before},N), not {has}.")
    rules.append(f"{name}(W,N) :- {name}_upto(W,{len(stock) - 1},N).")
    return asp.define(name, "", "\n".join(rules))


def plus(asp: Definitions, one: str, other: str, result: str) -> str:
    """The literal: `result` is the sum."""
    asp.define("plus", "", "plus(A,B,A+B) :- number(A), number(B), number(A+B).")
    asp.numbers()
    return f"plus({one},{other},{result})"


# In C --------------------------------------------------------------------------------------------


def number_code(c: Source, zone: str, content: str) -> str:
    """The expression for a case."""
    hand = f"{_hand_code(c, content)}(c)"
    return hand if zone == "hand" else f"(set_count({c.on(content)}) + {hand})"


def _hand_code(c: Source, content: str) -> str:
    """The name of a function that counts the pieces in hand."""

    def held(looks: Player) -> tuple[tuple[int, int], ...]:
        """Whose hands are counted where a player looks, and which kinds in them."""
        counts = held_of(c.setting.equipment, looks, content)
        return tuple(
            (owner, kind)
            for owner, player in enumerate(c.players)
            for kind, key in enumerate(c.keys)
            if counts(player, key)
        )

    by_seat = [held(player) for player in c.players]

    def write(name: str) -> str:
        lines = [f"static int {name}(Case *c) {{", "  int n = 0;", "#if HANDS"]
        if any(by_seat):
            lines.append("  const i16 (*hand)[KEYS] = c->state->hand;")
        for some in dict.fromkeys(filter(None, by_seat)):
            same = [f"{c.me} == {me}" for me, each in enumerate(by_seat) if each == some]
            added = [
                f"  if (hand[{owner}][{kind}] > 0) n += hand[{owner}][{kind}];"
                for owner, kind in some
            ]
            everyone = len(same) == len(by_seat)
            lines += added if everyone else [f"  if ({' || '.join(same)}) {{", *added, "  }"]
        return "\n".join([*lines, "#endif", "  (void)c;", "  return n;", "}"])

    return c.named(content, "in_hand", write)
