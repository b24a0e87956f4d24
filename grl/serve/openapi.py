"""The OpenAPI description of the JSON interface, made from its addresses and types."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import msgspec

from grl.serve.messages import Problem
from grl.serve.routes import Address

FILE = "openapi.json"
_REF = "#/components/schemas/{name}"


def described(addresses: Sequence[Address]) -> dict[str, Any]:
    """The description as plain data."""
    types = [kind for each in addresses for kind in (each.takes, each.gives) if kind is not None]
    _, schemas = msgspec.json.schema_components([*types, Problem], ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for each in addresses:
        paths.setdefault(f"/api{each.path}", {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "grl serve",
            "version": "1",
            "summary": "Learned games: positions, legal turns, play, reasons, learning.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(each: Address) -> dict[str, Any]:
    problem = {"description": "refused, and why", "content": _json(Problem)}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)", each.path)
    ] + [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"}}
        for name in each.query
    ]
    operation: dict[str, Any] = {
        "operationId": each.handler.__name__,
        "summary": each.says,
        "description": " ".join(inspect.cleandoc(each.handler.__doc__ or each.says).split()),
        "responses": {
            "200": {"description": "what was asked for", "content": _content(each)},
            "4XX": problem,
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if each.takes is not None:
        operation["requestBody"] = {"required": True, "content": _json(each.takes)}
    elif each.raw:
        schema = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/octet-stream": schema},
        }
    return operation


def _content(each: Address) -> dict[str, Any]:
    found = _json(each.gives)
    return {"text/event-stream": found["application/json"]} if each.streams else found


def _json(kind: type[Any] | None) -> dict[str, Any]:
    schema = {"type": ["object", "array"]} if kind is None else _reference(kind)
    return {"application/json": {"schema": schema}}


def _reference(kind: type[Any]) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF)
    return dict(schema)


def text_of(addresses: Sequence[Address]) -> str:
    """The description as it is kept in a file."""
    return json.dumps(described(addresses), indent=1) + "\n"


def kept() -> bytes:
    """The file that is served."""
    return files("grl.serve").joinpath(FILE).read_bytes()
