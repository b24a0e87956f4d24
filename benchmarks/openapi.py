"""``make openapi``: writes the description of the page's JSON interface anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

from grl.serve import openapi
from grl.serve.app import house

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        addresses = house([], Path(folder)).addresses
    path = ROOT / "grl" / "serve" / openapi.FILE
    path.write_text(openapi.text_of(addresses), encoding="utf-8")
    print(f"{len(addresses)} addresses: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
