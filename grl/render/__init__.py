"""Automata and machines as pictures that people can read.

`render_model` draws a whole model into a folder; `dot_of_dfa` and `dot_of_machine` give single
pictures in the dot language. What a picture shows is settled before its layout: states whose
letters are directions lie where these lead, and all others are left to Graphviz.

Read `grl.render.picture` first, then `grl.render.dot`; `grl.render.page` makes a page of a game.
"""

from grl.render.dot import DotText, dot_of_dfa, dot_of_machine
from grl.render.folder import Format, Rendered, dot_texts, draw_texts, named_apart, render_model

__all__ = [
    "DotText",
    "Format",
    "Rendered",
    "dot_of_dfa",
    "dot_of_machine",
    "dot_texts",
    "draw_texts",
    "named_apart",
    "render_model",
]
