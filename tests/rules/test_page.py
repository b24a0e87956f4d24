"""The page on rules has every template and no other."""

import re
from pathlib import Path

from grl.rules.templates import POSITIONS, RELATIONS, TURNS

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def told(section):
    """The templates in the first column of a section's table."""
    body = PAGE.partition(f"\n### {section}\n")[2].partition("\n##")[0]
    first = [row.split("|")[1] for row in body.splitlines() if row.startswith("| `")]
    return {name for cell in first for name in re.findall(r"`(\w+)`", cell)}


def test_every_template_has_its_row():
    assert told("Of turns") == set(TURNS)
    assert told("Of a turn among its rivals") == set(RELATIONS)
    assert told("Of positions") == set(POSITIONS)
