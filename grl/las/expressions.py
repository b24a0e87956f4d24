"""Terms, atoms and comparisons of mode declarations and examples, by precedence climbing."""

from __future__ import annotations

from grl.las.task import TaskError
from grl.las.terms import (
    COMPARISONS,
    Aggregate,
    Anonymous,
    Atom,
    Comparison,
    Constant,
    Function,
    Literal,
    Operation,
    Slot,
    Term,
)
from grl.las.tokens import Token, problem, tokens, whole

_BINDING = {"^": 1, "?": 2, "&": 3, "+": 4, "-": 4, "*": 5, "/": 5, "\\": 5, "**": 6}
_RELATIONS = {op: op for op in COMPARISONS} | {"==": "=", "<>": "!="}
_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_AGGREGATES = ("#count", "#sum", "#min", "#max")


class Expressions:
    """A cursor over the tokens of a text."""

    def __init__(self, text: str, file: str | None) -> None:
        self.text = text
        self.file = file
        self._tokens = list(tokens(text, file))
        self._at = 0
        self._last = self._tokens[0]
        self._slots = False

    @property
    def peek(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    def ahead(self, distance: int) -> Token:
        """The token that far behind the next."""
        return self._tokens[min(self._at + distance, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The next token, consumed."""
        self._last = self.peek
        if self._at < len(self._tokens) - 1:
            self._at += 1
        return self._last

    def error(
        self,
        message: str,
        token: Token,
        *,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> TaskError:
        """An error at a token."""
        return problem(
            message, self.file, token.line, token.column, found=found, expected=expected, hint=hint
        )

    def expect(self, text: str) -> Token:
        """The next token, which has to be `text`."""
        if self.peek.text != text or self.peek.kind == "string":
            found = self.peek.text or "the end of the file"
            raise self.error("syntax error", self.peek, expected=text, found=found)
        return self.take()

    def number(self) -> int:
        """A non-negative integer."""
        token = self.take()
        if token.kind != "number":
            found = token.text or "the end of the file"
            raise self.error("syntax error", token, expected="a number", found=found)
        return whole(token.text) or 0

    def literal(self, *, slots: bool = False) -> Literal:
        """An atom, perhaps under ``not``, a comparison or an aggregate; `slots` as in modes."""
        self._slots = slots
        at = self.peek
        negated = at.text == "not"
        if negated:
            self.take()
        if self.peek.text in _AGGREGATES:
            return self._aggregate(None, "=")
        left = self.term()
        op = _RELATIONS.get(self.peek.text)
        if op is not None:
            self.take()
            if self.peek.text in _AGGREGATES:
                return self._aggregate(left, _MIRROR.get(op, op))
            return Comparison(op, left, self.term())
        if isinstance(left, Constant) and left.text[0].isalpha():
            left = Function(left.text, ())
        classical = (
            isinstance(left, Operation)
            and left.op == "-"
            and len(left.args) == 1
            and isinstance(left.args[0], Function | Constant)
        )
        if classical:
            assert isinstance(left, Operation)
            inner = left.args[0]
            name = inner.name if isinstance(inner, Function) else str(inner)
            left = Function("-" + name, inner.args if isinstance(inner, Function) else ())
        if not isinstance(left, Function) or not left.name:
            raise self.error("not an atom", at, expected="an atom or a comparison", found=at.text)
        return Atom(left, negated)

    def _aggregate(self, right: Term | None, op: str) -> Aggregate:
        function = self.take().text
        self.expect("{")
        elements = [self.term()]
        while self.peek.text == ",":
            self.take()
            elements.append(self.term())
        condition: list[Atom | Comparison] = []
        if self.peek.text == ":":
            while True:
                self.take()
                one = self.literal(slots=True)
                if isinstance(one, Aggregate):
                    raise self.error("an aggregate inside an aggregate", self._last)
                condition.append(one)
                if self.peek.text not in (",", ";"):
                    break
        self.expect("}")
        if right is None:
            token = self.take()
            if token.text not in _RELATIONS:
                raise self.error("syntax error", token, expected="a comparison", found=token.text)
            op = _RELATIONS[token.text]
            right = self.term()
        return Aggregate(function, tuple(elements), tuple(condition), op, right)

    def term(self, binding: int = 0) -> Term:
        """A term, with operators that bind more tightly than `binding`."""
        left = self._primary()
        while True:
            op = self.peek.text
            strength = _BINDING.get(op, 0)
            if self.peek.kind != "sign" or strength <= binding:
                return left
            self.take()
            right = self.term(strength - (op == "**"))
            left = Operation(op, (left, right))

    def _primary(self) -> Term:
        token = self.take()
        text = token.text
        if token.kind in ("number", "string"):
            return Constant(text)
        if text == "-":
            inner = self.term(5)
            if isinstance(inner, Constant) and inner.number is not None:
                return Constant(f"-{inner.text}")
            return Operation("-", (inner,))
        if text == "~":
            return Operation("~", (self.term(5),))
        if text == "|":
            inner = self.term()
            self.expect("|")
            return Operation("|", (inner,))
        if text == "_":
            return Anonymous()
        if text == "(":
            return self._parenthesis()
        if token.kind == "name" or text in ("#inf", "#sup"):
            if self.peek.text != "(":
                return Constant(text)
            self.take()
            args, trailing = self._arguments()
            if trailing:
                raise self.error(
                    "an argument is missing", self._last, expected="a term", found=self._last.text
                )
            if self._slots and text in ("var", "const"):
                if len(args) != 1 or not isinstance(args[0], Constant):
                    raise self.error("not a place", token, expected=f"{text}(type)")
                return Slot(text, str(args[0]))
            return Function(text, args) if args else Constant(text)
        if token.kind == "variable":
            raise self.error(
                "a variable where none is allowed", token, found=text, hint="modes write var(type)"
            )
        found = text or "the end of the file"
        raise self.error("syntax error", token, expected="a term", found=found)

    def _parenthesis(self) -> Term:
        args, trailing = self._arguments()
        return args[0] if len(args) == 1 and not trailing else Function("", args)

    def _arguments(self) -> tuple[tuple[Term, ...], bool]:
        args: list[Term] = []
        trailing = False
        while self.peek.text != ")":
            args.append(self.term())
            trailing = self.peek.text == ","
            if not trailing:
                break
            self.take()
        self.expect(")")
        return tuple(args), trailing
