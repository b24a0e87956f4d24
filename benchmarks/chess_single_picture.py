"""The curve of `chess_single.py`: wrong turns by kind over games, a panel a sort of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10

KINDS = ("castling", "in passing", "promotion", "king left in check", "double step", "others")
COLOURS = ("#1b6ca8", "#c8641b", "#2a8a4a", "#b0268a", "#777777", "#222222")
TITLES = {"random": "random games", "strong": "games of a player who searches"}
LEFT, WIDE, GAP, TOP, HIGH = 70, 300, 30, 70, 260
LEAST = 0.1
"""Where no turn is wrong the curve is drawn here."""
APART = 1.6
"""Curves of different kinds that coincide are drawn so many pixels apart."""
DASHES = {"surplus": "", "missing": ' stroke-dasharray="5 4"'}


@dataclass(frozen=True)
class Distance:
    """What a model learned from so many games gets wrong, by kind, of the positions looked at."""

    players: str
    games: int
    rare: int
    seed: int
    positions: int
    legal: Mapping[str, int]
    missing: Mapping[str, int]
    surplus: Mapping[str, int]
    seconds: float
    mib: float

    @property
    def key(self) -> tuple[str, int, int, int]:
        """What was learned from."""
        return self.players, self.games, self.rare, self.seed

    def lines(self) -> Iterator[str]:
        """A line for each kind with any turns."""
        rare = f" and {self.rare:,} short records" if self.rare else ""
        yield (
            f"{self.games:,} {TITLES[self.players]}{rare}, {self.seconds:.0f} s of processor, "
            f"{self.mib:,.0f} MiB: {self.positions:,} positions, "
            f"{sum(self.legal.values()):,} turns, {sum(self.missing.values()):,} missing, "
            f"{sum(self.surplus.values()):,} surplus"
        )
        for kind in KINDS:
            legal, missing, surplus = (
                each.get(kind, 0) for each in (self.legal, self.missing, self.surplus)
            )
            if legal or surplus:
                yield f"  {kind}: {legal:,} legal, {missing:,} missing, {surplus:,} surplus"


def picture(rows: Sequence[Distance]) -> str:
    """Wrong turns of a thousand positions by kind, over games; both axes are logarithmic."""
    panels = [name for name in TITLES if any(row.players == name for row in rows)]
    games = sorted({row.games for row in rows})
    axes = Axes(
        games, max(_rate(row, kind, what) for row in rows for kind in KINDS for what in DASHES)
    )
    width = LEFT + len(panels) * (WIDE + GAP) + 130
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HIGH + 45}" '
        'font-family="sans-serif" font-size="11">',
        "<title>Chess from single moves: wrong turns of a thousand positions</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="12" y="22" font-size="14">Chess from single moves: '
        "wrong turns of a thousand positions</text>",
    ]
    for number, name in enumerate(panels):
        some = sorted((row for row in rows if row.players == name), key=lambda row: row.games)
        left = LEFT + number * (WIDE + GAP)
        lines += [
            f'<text x="{left}" y="{TOP - 22}" font-weight="bold">{TITLES[name]}</text>',
            *axes.grid(left, labelled=number == 0),
            *_curves(axes, left, some),
        ]
    return "\n".join([*lines, *_legend(width - 120), "</svg>", ""])


class Axes:
    """Where games and rates are drawn."""

    def __init__(self, games: Sequence[int], highest: float) -> None:
        self.games = games
        self.top = max(1, 1 + int(log10(max(highest, 1.0))))

    def x(self, left: float, games: int) -> float:
        """From the left."""
        first, last = log10(self.games[0]), log10(max(self.games[-1], self.games[0] + 1))
        return left + 15 + (WIDE - 30) * (log10(games) - first) / (last - first)

    def y(self, rate: float) -> float:
        """From the top."""
        lowest = log10(LEAST)
        return TOP + HIGH * (1 - (log10(max(rate, LEAST)) - lowest) / (self.top - lowest))

    def grid(self, left: float, *, labelled: bool) -> Iterator[str]:
        """Lines for powers of ten, and numbers of games below."""
        for power in range(round(log10(LEAST)), self.top + 1):
            y = self.y(10.0**power)
            yield f'<line x1="{left}" x2="{left + WIDE}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            if labelled:
                text = f"{10**power:,}" if power >= 0 else "none"
                yield f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
        for games in self.games:
            yield (
                f'<text x="{self.x(left, games):.1f}" y="{TOP + HIGH + 28}" '
                f'text-anchor="middle">{games:,}</text>'
            )


def _curves(axes: Axes, left: float, rows: Sequence[Distance]) -> Iterator[str]:
    for number, (kind, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        for what, dash in DASHES.items():
            rates = [_rate(row, kind, what) for row in rows]
            if what == "missing" and not any(rates):
                continue
            lift = APART * number
            points = [
                (axes.x(left, row.games), axes.y(rate) - lift)
                for row, rate in zip(rows, rates, strict=True)
            ]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            line = f'fill="none" stroke="{colour}" stroke-width="1.5"{dash}'
            yield f'<polyline points="{path}" {line}/>'
            fill = colour if what == "surplus" else "white"
            yield from (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{colour}"/>'
                for x, y in points
            )


def _legend(left: float) -> Iterator[str]:
    for number, (kind, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        y = TOP + 12 + 18 * number
        yield f'<circle cx="{left}" cy="{y}" r="4" fill="{colour}"/>'
        yield f'<text x="{left + 10}" y="{y + 4}">{kind}</text>'
    for number, (what, dash) in enumerate(DASHES.items()):
        y = TOP + 30 + 18 * (len(KINDS) + number)
        yield (
            f'<line x1="{left - 6}" x2="{left + 18}" y1="{y}" y2="{y}" stroke="#222" '
            f'stroke-width="1.5"{dash}/>'
        )
        yield f'<text x="{left + 24}" y="{y + 4}">{what}</text>'
    yield f'<text x="{left - 6}" y="{TOP + HIGH + 28}">games</text>'


def _rate(row: Distance, kind: str, what: str) -> float:
    counts: Mapping[str, int] = getattr(row, what)
    return 1_000 * counts.get(kind, 0) / row.positions
