"""Terms as English: every operator phrases itself, and `Speech` joins the phrases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grl.board import Equipment
from grl.logic.contents import NOTHING, owner_in, type_in, types_of
from grl.logic.terms import DIAGONALS, OWN, Term, literals_of

ADJACENT = {
    "orthogonal": "orthogonally",
    "around": "orthogonally or diagonally",
    "rising": "orthogonally or along rising diagonals",
    "falling": "orthogonally or along falling diagonals",
    "links": "by a link",
}
LINES = {
    "orthogonal": "along a rank or file",
    "diagonal": "along a diagonal",
    "around": "in a straight line",
    "rank": "along a rank",
    "file": "along a file",
    "rising": "along a rank, a file or a rising diagonal",
    "falling": "along a rank, a file or a falling diagonal",
    "onward": "in the direction of the turn",
}
Literal = tuple[Term, bool]


class Speech:
    """Phrases for the pieces of one game."""

    def __init__(self, equipment: Equipment, view: str = "turn") -> None:
        self.equipment = equipment
        self.view = view

    def seat(self, number: int) -> str:
        """The player so many places after the one who looks."""
        return seat_name(number, len(self.equipment.players), self.view)

    def states(self, term: Term) -> tuple[str, str]:
        """What a single square does that belongs to a set, and what another does."""
        if term.operator.states is not None:
            return term.operator.states(self, *term.arguments)
        if term.point:
            noun = self.noun(term)
            return f"is {noun}", f"is not {noun}"
        having, lacking = self.clauses(term)
        if having.startswith("that "):
            return f"is among squares {having}", f"is among squares {lacking}"
        return f"is {having}", f"is {lacking}"

    def some(self, term: Term) -> tuple[str, str]:
        """Whether there is a square of a set, or none."""
        if term.operator.present is not None:
            return term.operator.present(self, *term.arguments)
        literals = self.literals(term)
        points = [each for each, holds in literals if holds and _is_one(each)]
        match literals:
            case [(one, True), (asked, True)] if asked.operator.does and (points or _holds(one)):
                content = str(one.arguments[0]) if _holds(one) else ""
                does, does_not = asked.operator.does(self, content, *asked.arguments)
                if points:
                    return f"{does} {self.noun(one)}", f"{does_not} {self.noun(one)}"
                thing = self.thing(content)
                return f"{does} {thing}", f"{does} no {thing.split(' ', 1)[1]}"
        if points:
            one = points[0]
            rest = [(each, holds) for each, holds in literals if each is not one]
            subject = self.noun(one)
            if not rest:
                noun = subject.removeprefix("the ")
                return f"there is {article(noun)} {noun}", f"there is no {noun}"
            said = [self.states(each)[not holds] for each, holds in rest]
            whole = f"{subject} {' and '.join(said)}"
            if len(rest) == 1:
                each, holds = rest[0]
                return whole, f"{subject} {self.states(each)[holds]}"
            return whole, f"it is not so that {whole}"
        noun = self.noun(term)
        match literals:
            case [(squares, True), (held, False)] if held.operator.name == "lies":
                content = str(held.arguments[0])
                does = "are empty" if content == NOTHING else f"hold {self.things(content)}"
                every = f"all {self.noun(squares).removeprefix('the ')} {does}"
                return f"not {every}", every
        return f"there are {noun}", f"there are no {noun}"

    def noun(self, term: Term) -> str:
        """What a set is, in the plural where it may be several squares."""
        if term.operator.noun is None:
            return f"squares {self.clauses(term)[0]}"
        return term.operator.noun(self, *term.arguments)

    def clauses(self, term: Term) -> tuple[str, str]:
        """What squares are that belong to a set, and what others are."""
        if term.operator.clause is not None:
            return term.operator.clause(self, *term.arguments)
        noun = self.noun(term)
        if term.point:
            return f"that are {noun}", f"other than {noun}"
        return f"among the {noun}", f"not among the {noun}"

    def literals(self, term: Term) -> list[Literal]:
        """The sets of which a term is the intersection, or what is left."""
        return list(literals_of(term))

    def conjunction(self, literals: Sequence[Literal], more: str = "") -> str:
        """What squares are to which all literals apply, the contents first."""
        parts = [each for term, holds in literals for each in literals_of(term, holds)]
        named = [term for term, holds in parts if holds and _names_contents(term)]
        named += [term for term, holds in parts if holds and term.operator.name == "field"]
        head = self.noun(named[0]) if named else "squares"
        rest = [part for part in parts if not named or part[0] is not named[0]]
        clauses = [self.clauses(term)[not holds] for term, holds in rest]
        return " ".join([head, " and ".join([more, *clauses] if more else clauses)]).strip()

    def thing(self, content: str) -> str:
        """One of a content, with its article."""
        thing = self._owned(content, str)
        return f"{article(thing)} {thing}"

    def things(self, content: str, number: int | None = None) -> str:
        """Several of a content, or so many."""
        things = self._owned(content, str if number == 1 else plural)
        return things if number is None else f"{counted(number)} {things}"

    def holding(self, content: str) -> tuple[str, str]:
        """What a single square does that holds a content, and what another does."""
        if content == NOTHING:
            return "is empty", "is not empty"
        thing = self.thing(content)
        return f"holds {thing}", f"does not hold {thing}"

    def _owned(self, content: str, number: Callable[[str], str]) -> str:
        """Things of a content, one or several, and whose they are."""
        if content == NOTHING:
            return number("empty square")
        if content[0] == "=":
            return self._keyed(content[1:], number)
        owner, kind = self._named(content)
        return self._whose(owner, number(kind))

    def _keyed(self, key: str, number: Callable[[str], str]) -> str:
        """Pieces with a key, which is named where others are called the same."""
        piece = self.equipment.pieces[key]
        called = [(each.player, each.type) for each in self.equipment.pieces.values()]
        said = f" ({key})" if called.count((piece.player, piece.type)) > 1 else ""
        if piece.player is None:
            return f"neutral {number(piece.type)}{said}"
        return f"{number(piece.type)} of {piece.player}{said}"

    def _whose(self, owner: str, things: str) -> str:
        if owner == "neutral":
            return f"neutral {things}"
        if owner == "own":
            return f"{things} of {self.seat(0)}"
        if owner.startswith("next"):
            return f"{things} of {self.seat(int(owner[4:]))}"
        if self.view == "turn":
            return f"opposing {things}"
        if len(self.equipment.players) == 2:
            return f"{things} of {self.seat(1)}"
        return f"{things} of other players than {self.seat(0)}"

    def one(self, term: Term) -> str:
        """One square of a set."""
        if term.operator.name != "lies":
            return self.noun(term)
        return self.thing(str(term.arguments[0]))

    def any_of(self, contents: Sequence[str]) -> str:
        """One of several contents, those of an owner together."""
        kinds: dict[str, list[str]] = {}
        for content in contents:
            if content != NOTHING:
                owner, kind = self._named(content)
                kinds.setdefault(owner, []).append(kind)
        parts = ["nothing"] if NOTHING in contents else []
        for owner, some in kinds.items():
            thing = self._whose(owner, joined(some, "or"))
            parts.append(f"{article(thing)} {thing}")
        return joined(parts, "or")

    def being(self, content: str) -> tuple[str, str]:
        """What squares do that hold a content, and what others do."""
        noun = self.things(content)
        return f"that are {noun}", f"that are not {noun}"

    def _named(self, content: str) -> tuple[str, str]:
        owner, kind = owner_in(content), type_in(content)
        types = types_of(self.equipment, owner)
        return owner, kind or (types[0] if len(types) == 1 else "piece")


def _holds(term: Term) -> bool:
    """Whether a set is that of the squares with a content."""
    return term.operator.name == "lies"


def _is_one(term: Term) -> bool:
    """Whether a set is a single square, so that its noun stands in the singular."""
    return term.point or term.arguments[:1] == ("store",)


def _names_contents(term: Term) -> bool:
    """Whether a set is one of contents, so that its noun can stand first."""
    if term.operator.name == "either":
        return all(isinstance(a, Term) and _names_contents(a) for a in term.arguments)
    return term.operator.name == "lies"


def seat_name(number: int, players: int, view: str) -> str:
    """The player so many places after the one who looks: at a turn, a position, or what it left."""
    if view == "after":
        number = (number + 1) % players
    looks = "the player to move" if view == "position" else "the mover"
    if number == 0:
        return looks
    if players == 2:
        return "the other player" if view == "position" else "the opponent"
    return f"the player {number} place{'s' if number > 1 else ''} after {looks}"


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(number: int) -> str:
    """A number in words as far as they are short."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def amounts(op: str, number: int) -> tuple[str, str]:
    """How many: as many as that, or fewer; and the opposite."""
    if op == "=":
        return counted(number), f"not {counted(number) if number else 'none of the'}"
    return f"fewer than {counted(number)}", f"{counted(number)} or more"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``, or with another word."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def turn_back(back: int) -> str:
    """The turn so many plies ago."""
    if back == OWN:
        return "one's own last turn"
    if back <= 2:
        return "the last turn" if back == 1 else "the last turn but one"
    return f"the turn {counted(back)} plies ago"


def line_of(line: str, op: str, number: int) -> str:
    """Where something is: on that rank, file or diagonal, or on a lower one; so far from the edge;
    or on squares of a colour."""
    if line == "colour":
        colours = [1, 2] if op == "<" else [number]
        named = [
            ("dark", "light")[n - 1] for n in colours if 0 < n < 3 and (op == "=" or n < number)
        ]
        return f"on {' or '.join(named) or 'no'} squares"
    if line == "ring":
        away = f"{counted(number - 1)} square{'' if number == 2 else 's'} from the edge"
        if op == "=":
            return away if number != 1 else "on the edge"
        return f"less than {away}"
    if line == "wing":
        away = f"{counted(number - 1)} file{'' if number == 2 else 's'} from the middle"
        if op == "=":
            return away if number > 1 else "on a middle file"
        return f"less than {away}"
    line = f"{line} diagonal" if line in DIAGONALS else line
    return f"on {line} {number}" if op == "=" else f"on a {line} below {number}"


def line_with(line: str, op: str, squares: str) -> str:
    """Where something is as some squares are, or below them."""
    if line == "wing":
        near = "as far from" if op == "=" else "nearer to"
        return f"{near} the middle file {'as' if op == '=' else 'than'} {squares}"
    line = f"{line} diagonal" if line in DIAGONALS else line
    if op == "=":
        return f"on the {line} of {squares}"
    return f"on a lower {line} than {squares}"


def plural(noun: str) -> str:
    """The plural of a piece's type."""
    if noun.endswith("man"):
        return noun[:-3] + "men"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def article(noun: str) -> str:
    """The indefinite article."""
    return "an" if noun[:1] in "aeiou" else "a"
