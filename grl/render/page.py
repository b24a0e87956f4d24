"""A whole game on one page of HTML that needs nothing from elsewhere and can be printed.

The page has no scripts, and its policy forbids any; whatever comes from a model is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Literal
from xml.etree import ElementTree

from grl.board import Position
from grl.model import Model
from grl.progress import Progress, silent
from grl.render import engines
from grl.render.boards import board_svg, piece_svg
from grl.render.compass import places
from grl.render.dot import dot_text
from grl.render.picture import Picture, of_dfa, of_machine
from grl.render.words import piece_label, plain

Standing = Literal["", "sure", "not sure", "certain", "provisional", "refuted"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_HOW_TO_READ = (
    "From the arrow without a beginning on, each arrow is a step: files, ranks, and what lies "
    "there, e nothing, w a piece of the mover, p one of an opponent, n one of nobody. "
    "d removes a piece, a puts one down, r takes one into the reserve; @ leads anywhere. "
    "A turn may end in a double ring, and go on elsewhere from a dashed one."
)
_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: #222; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 2rem; margin: 0; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid #ddd; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; }
.sub, .evidence { color: #666; }
.start { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
figure { margin: 0; padding: .8rem; border: 1px solid #ddd; border-radius: 6px; max-width: 100%;
  box-sizing: border-box; flex: 0 1 auto; }
figure ul { margin: .3rem 0 .6rem; padding-left: 1.1rem; font-size: .85rem; color: #444; }
svg { max-width: 100%; height: auto; vertical-align: middle; }
table { border-collapse: collapse; }
td { padding: .15rem .8rem .15rem 0; }
ol.rules > li, ul.rules > li { margin: .4rem 0; }
.badge { font-size: .75rem; border-radius: 1em; padding: .1em .6em; border: 1px solid;
  white-space: nowrap; }
.badge.sure, .badge.certain { color: #00664b; }
.badge.provisional, .badge.refuted, .badge.not-sure { color: #a14600; }
pre { overflow-x: auto; font-size: .85rem; }
@page { margin: 15mm; }
@media print {
  body { font-size: 10.5pt; max-width: none; margin: 0; padding: 0; }
  h2, h3 { break-after: avoid; }
  figure, li, tr { break-inside: avoid; }
  .figures { display: block; }
  figure { display: inline-block; vertical-align: top; margin: 0 2mm 3mm 0; padding: 2mm;
    zoom: .72; }
  figure svg { max-height: 92mm; width: auto; }
}
"""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the rulebook, what speaks for it, and how sure it is."""

    text: str
    evidence: str = ""
    standing: Standing = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the rulebook; `numbered` where its sentences are asked in this order."""

    title: str
    said: tuple[Said, ...]
    numbered: bool = False


def game_page(
    model: Model,
    subtitle: str,
    parts: Sequence[Part],
    languages: Sequence[Said],
    progress: Progress | None = None,
) -> str:
    """The page of a model: board, pieces, automata and machines, then the `parts` of its rules.

    `languages` has a sentence for each automaton, in the model's order. Without Graphviz the
    transitions stand in the place of pictures.
    """
    name = _text(model.game)
    pieces = [
        f"<tr><td>{piece_svg(model.equipment, key)}</td>"
        f"<td>{_text(piece_label(model.equipment, key))}</td></tr>"
        for key in model.equipment.pieces
    ]
    automata = [of_dfa(dfa, model.equipment) for dfa in model.automata]
    laid = [places(dfa) for dfa in model.automata]
    machines = [of_machine(machine, model.equipment) for machine in model.machines]
    found = engines.available()
    hook = progress if progress is not None else silent
    total = len(automata) + len(machines)
    figures = []
    for number, picture in enumerate([*automata, *machines]):
        hook("render", number, total)
        where = laid[number] if number < len(automata) else None
        bare = replace(picture, title="", subtitle="", legend=())
        drawn = dot_text(bare, where, routed=bool(found))
        shown = found and drawn.drawable
        svg = engines.draw(found, drawn.text, drawn.layout, "svg") if shown else b""
        said = languages[number] if number < len(automata) else Said("")
        figures.append(_figure(picture, said, svg))
    hook("render", total, total)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}</title><style>{_STYLE}</style></head><body>",
            f'<h1>{name}</h1><p class="sub">{_text(subtitle)}</p>',
            "<h2>Board and pieces</h2>",
            f'<div class="start"><div>{_start(model.initial)}</div>',
            f"<table>{''.join(pieces)}</table></div>",
            f'<h2>How pieces move</h2><p class="sub">{_HOW_TO_READ}</p>',
            f'<div class="figures">{"".join(figures[: len(automata)])}</div>',
            *(_part(part) for part in parts),
            *_machines(figures[len(automata) :]),
            "</body></html>",
            "",
        ]
    )


def _machines(figures: Sequence[str]) -> list[str]:
    if not figures:
        return []
    title = "<h2>The order of actions within a turn</h2>"
    return [f'{title}<div class="figures">{"".join(figures)}</div>']


def _start(position: Position) -> str:
    svg = board_svg(position)
    shown = svg if svg is not None else f"<pre>{_text(chr(10).join(position.rows))}</pre>"
    held = [
        f"<p>{_text(player)} holds {_text(', '.join(f'{n} {key}' for key, n in hand.items()))}</p>"
        for player, hand in position.reserve.items()
        if hand
    ]
    return f"{shown}<p>{_text(position.to_move)} moves first.</p>{''.join(held)}"


def _figure(picture: Picture, said: Said, svg: bytes) -> str:
    legend = "".join(f"<li>{_text(line)}</li>" for line in picture.legend)
    drawn = inline_svg(svg) if svg else _transitions(picture)
    return (
        f"<figure><h3>{_text(picture.title)}</h3>"
        f'<p class="sub">{_text(picture.subtitle)}{_after(said)}</p>'
        f"{f'<ul>{legend}</ul>' if legend else ''}{drawn}</figure>"
    )


def _transitions(picture: Picture) -> str:
    lines = [f"{a.source} to {a.target}: {'  '.join(a.lines)}" for a in picture.arrows]
    return f"<pre>{_text(chr(10).join(lines))}</pre>"


def _after(said: Said) -> str:
    text = f"; {_text(said.text)}" if said.text else ""
    return text + _badge(said.standing)


def _part(part: Part) -> str:
    kind = "ol" if part.numbered else "ul"
    items = "".join(_item(said) for said in part.said)
    return f'<h2>{_text(part.title)}</h2><{kind} class="rules">{items}</{kind}>'


def _item(said: Said) -> str:
    evidence = f' <span class="evidence">({_text(said.evidence)})</span>' if said.evidence else ""
    return f"<li>{_text(said.text)}{evidence}{_badge(said.standing)}</li>"


def _badge(standing: Standing) -> str:
    if not standing:
        return ""
    return f' <span class="badge {standing.replace(" ", "-")}">{standing}</span>'


def inline_svg(picture: bytes) -> str:
    """A picture from Graphviz as part of a page: without prolog, names and links.

    Several pictures on a page would have the same names for different things.
    """
    root = ElementTree.fromstring(picture)
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) == "title":
                parent.remove(child)
    for item in root.iter():
        item.tag = _local(item.tag)
        for name in list(item.attrib):
            if name in ("id", "class") or "href" in name:
                del item.attrib[name]
            elif name.startswith("{"):
                item.attrib[_local(name)] = item.attrib.pop(name)
    return ElementTree.tostring(root, encoding="unicode")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _text(text: str) -> str:
    return "\n".join(escape(plain(line)) for line in text.split("\n"))


__all__ = ["Part", "Said", "game_page", "inline_svg"]
