"""Automata and machines as pictures that people can read."""

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
