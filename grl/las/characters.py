"""Characters that clingo does not read: outside of strings and comments it knows ASCII only.

It must not be shown others. Its messages quote single bytes of them, on which its Python interface
fails; and a zero character ends a program for it without a word.
"""

from __future__ import annotations

import re

_READ = re.compile(
    r"""
      [^"%#\0\x80-\U0010ffff]+
    | "(?:[^"\\\n\0]|\\[^\0])*"           # a string
    | \#script\b[^\0]*?\#end\s*\.         # a script
    | %\*[^\0]*?\*%                       # a comment of several lines
    | %[^\n\0]*                           # a comment
    | ["%\#]
    """,
    re.VERBOSE,
)


def stray_character(text: str) -> int | None:
    """Where the first character stands that clingo doesn't read; None where it reads all."""
    end = 0
    while end < len(text):
        match = _READ.match(text, end)
        if match is None:
            return end
        end = match.end()
    return None
