"""A reader of GDL of its own: KIF, the rules that GDL sets up, and answer sets."""

from __future__ import annotations

import re

import networkx as nx

TOKEN = re.compile(r";[^\n]*|[()]|[^()\s;]+")


def _expressions(text):
    """Names as strings and lists as tuples; none is empty, and all are closed."""
    open_lists = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            closed = tuple(open_lists.pop())
            assert closed
            open_lists[-1].append(closed)
        elif token[0] != ";":
            open_lists[-1].append(token)
    (whole,) = open_lists
    return whole


def read(text):
    """Rules as (head, body); an atom is a nested tuple, a fact has no body."""
    rules = []
    for item in _expressions(text):
        if item[0] == "<=":
            rules.append((_atom(item[1]), tuple(_atom(literal) for literal in item[2:])))
        else:
            rules.append((_atom(item), ()))
    return rules


def _atom(item):
    return (item,) if isinstance(item, str) else item


def _parts(literal):
    """Whether a literal is positive, and its atom."""
    return (False, _atom(literal[1])) if literal[0] == "not" else (True, literal)


def _variables(term):
    if isinstance(term, str):
        return {term} if term[0] == "?" else set()
    return set().union(*map(_variables, term)) if term else set()


def faults(rules):
    """What in rules breaks the definition of GDL: safety, stratification, bounded recursion."""
    found = []
    graph = nx.DiGraph()
    for head, body in rules:
        for literal in body:
            positive, atom = _parts(literal)
            if atom[0] != "distinct":
                negative = not positive or graph.get_edge_data(head[0], atom[0], {}).get("no")
                graph.add_edge(head[0], atom[0], no=bool(negative))
    component = {}
    for number, names in enumerate(nx.strongly_connected_components(graph)):
        component |= dict.fromkeys(names, number)
    found += [
        ("not stratified", a, b)
        for a, b, no in graph.edges(data="no")
        if no and component[a] == component[b]
    ]
    heads = {head[0] for head, _ in rules} | {"true", "does"}
    for head, body in rules:
        bound = set()
        for literal in body:
            positive, atom = _parts(literal)
            if atom[0] != "distinct" and atom[0] not in heads:
                found.append(("undefined", atom[0]))
            if positive and atom[0] != "distinct":
                bound |= _variables(atom)
        every = _variables(head).union(*(_variables(_parts(x)[1]) for x in body), set())
        if every - bound:
            found.append(("unsafe", head, body))
        if head[0] in ("true", "does", "distinct"):
            found.append(("head", head))
        found += _unbounded(head, body, component)
    for name, forbidden in (
        ("init", "true"),
        ("legal", "does"),
        ("terminal", "does"),
        ("goal", "does"),
    ):
        if name in graph and forbidden in graph and nx.has_path(graph, name, forbidden):
            found.append((name, "depends on", forbidden))
    return found


def _unbounded(head, body, component):
    """Recursive atoms with an argument that nothing outside the recursion binds."""
    number = component.get(head[0])
    outside, inside = set(head[1:]), []
    for literal in body:
        positive, atom = _parts(literal)
        if positive and atom[0] != "distinct":
            if atom[0] == head[0] or (number is not None and component.get(atom[0]) == number):
                inside.append(atom)
            else:
                outside |= set(atom[1:])
    return [
        ("unbounded", head, argument)
        for atom in inside
        for argument in atom[1:]
        if _variables(argument) and argument not in outside
    ]


def answer_set_program(rules):
    """The same rules for clingo."""
    lines = []
    for head, body in rules:
        parts = []
        for literal in body:
            positive, atom = _parts(literal)
            if atom[0] == "distinct":
                parts.append(f"{_term(atom[1])} != {_term(atom[2])}")
            else:
                parts.append(f"{'' if positive else 'not '}{_term(atom)}")
        lines.append(f"{_term(head)}{' :- ' if parts else ''}{', '.join(parts)}.")
    return "\n".join(lines)


def _term(term):
    if isinstance(term, str):
        return term[1:].upper() if term[0] == "?" else term
    if len(term) == 1:
        return _term(term[0])
    return f"{term[0]}({','.join(map(_term, term[1:]))})"
