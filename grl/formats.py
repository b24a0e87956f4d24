"""Plain data held to the types of a file's format: what doesn't fit is named by its field.

A format is a `msgspec.Struct`. What types can't say, that a piece is known or a state within an
automaton, is for whoever reads the file. Keys that a format doesn't have are passed over.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from grl.errors import ModelError

T = TypeVar("T")

_ERROR = re.compile(
    r"(?:Object missing required field `(?P<missing>.*?)`"
    r"|Expected (?P<expected>.*?)(?:, got .*?)?|(?P<other>.*?))"
    r"(?: - at `(?:key in )?\$(?P<path>.*?)(?:\[\.\.\.\].*)?`)?"
)
"""What msgspec says; it doesn't know the keys of an object's values, so a path ends there."""
_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "int": "a whole number",
    "object": "an object",
    "str": "a string",
}


def typed(data: object, form: type[T], where: str = "") -> T:
    """`data` as a value of `form`; raises `ModelError` that names a field within `where`."""
    try:
        return msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        said = _ERROR.fullmatch(str(error))
    assert said is not None
    path, found = said["path"] or "", data
    for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        found = found[key or int(index)]  # type: ignore[index]
    if said["missing"]:
        name = f"{where}{path}.{said['missing']}".lstrip(".")
        raise ModelError(f"field {name} is missing")
    expected = re.sub(r"`(.*?)`", _in_words, said["expected"] or said["other"])
    raise wrong(f"{where}{path}".lstrip("."), expected, found)


def _in_words(types: re.Match[str]) -> str:
    return " or ".join(_WORDS.get(name, name) for name in types[1].split(" | "))


def wrong(field: str, expected: str, found: Any) -> ModelError:
    """The error for a field that holds something else than it should."""
    message = f"field {field} is wrong" if field else "not a model"
    return ModelError(message, expected=expected, found=repr(found)[:80])
