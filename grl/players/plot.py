"""The results of a tournament as a picture: each pair's share of the points with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from grl.players.ratings import Standing

WIDE = 400
ROW = 28
LETTER = 7.2
"""About what a letter of the font is wide, in pixels."""


def plot(title: str, standings: Sequence[Standing]) -> str:
    """An SVG picture, a row for each pair; in the middle both are equally good."""
    labels = [f"{each.first} – {each.second}" for each in standings]
    left = 20 + LETTER * max(map(len, labels), default=0)
    height = ROW * (len(standings) + 2) + 10
    bottom = height - ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + WIDE + 30:.0f}" height="{height}" '
        'font-family="monospace" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="18" font-weight="bold">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        x = left + WIDE * tenth / 10
        parts.append(f'<path d="M{x:.1f} {ROW}V{bottom}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{tenth / 10}</text>'
        )
    middle = left + WIDE / 2
    parts.append(f'<path d="M{middle:.1f} {ROW}V{bottom}" stroke="#555" stroke-dasharray="4 3"/>')
    for row, (label, each) in enumerate(zip(labels, standings, strict=True)):
        y = ROW * (row + 1.5)
        low, at, high = (left + WIDE * share for share in (each.low, each.share, each.high))
        parts += [
            f'<text x="10" y="{y + 4:.1f}">{escape(label)}</text>',
            f'<path d="M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 5:.1f}v10M{high:.1f} '
            f'{y - 5:.1f}v10" stroke="#1f5fa8" stroke-width="2"/>',
            f'<circle cx="{at:.1f}" cy="{y:.1f}" r="4" fill="#1f5fa8"/>',
        ]
    return "\n".join([*parts, "</svg>", ""])
