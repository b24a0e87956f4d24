"""Features that terms give, in a word: what lies where, as a turn or a position has it."""

from __future__ import annotations

from grl.logic.ops.shapes import lacking


def lies(what):
    return ("lies", what)


def meets(role, term, when="before"):
    return ("some", when, ("both", ("square", role), term))


def on_line(scale, op, number, seat=0):
    return ("ring", op, number) if scale == "ring" else ("line", scale, seat, op, number)


def at(role, scale, op, number):
    return meets(role, on_line(scale, op, number))


def near(role, view, dx, dy, what, when="before"):
    there = ("shift", view, dx, dy, ("square", role))
    return ("some", when, there if what == "#" else ("both", there, lies(what)))


def touches(role, adjacency, what, when):
    return meets(role, ("near", adjacency, lies(what)), when)


def beside(role, adjacency):
    return meets(role, ("near", adjacency, ("square", "start1")))


def apart(one, other, dx, dy):
    return meets(other, ("shift", "board", dx, dy, ("square", one)))


def line(role, what, length, when):
    return meets(role, ("lined", "around", length, lies(what)), when)


def moved(role):
    return meets(role, ("moved",))


def same(role, last, back=1):
    return meets(role, ("last", last, back))


def on(what, scale, op, number):
    seat = 1 if what.startswith("opposing") else 0
    return ("some", "now", ("both", lies(what), on_line(scale, op, number, seat)))


def row(what, length):
    return ("some", "now", ("lined", "around", length, lies(what)))


def landed(what):
    return ("some", "now", ("both", ("last", "end1", 1), lies(what)))


def heading(way):
    start, end = "start1", "end1"
    role, scale, op, other = {
        "ahead": (start, "rank", "<", end),
        "level": (end, "rank", "=", start),
        "behind": (end, "rank", "<", start),
        "inward": (end, "wing", "<", start),
        "outward": (start, "wing", "<", end),
    }[way]
    return meets(role, ("aligned", scale, op, ("square", other)))


HEADINGS = [heading(way) for way in ("ahead", "level", "behind", "inward", "outward")]


def pattern(cells):
    return ("some", "now", ("pattern", cells))


def formed(role, cells):
    return meets(role, ("pattern", cells), "after")


def lacks(seat, cells):
    return ("some", "now", lacking(seat, cells).data)


def held(seat, squares, what):
    return ("some", "now", ("both", lies(what), ("region", seat, squares)))
