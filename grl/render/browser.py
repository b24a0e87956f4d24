"""A page as PDF, printed by a browser of this machine; there is no other layout of HTML here."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from grl.errors import MissingExtra

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "msedge", "brave-browser"),
)
_SECONDS = 120
_HINT = "install Chromium, or open the page that --all writes without --format pdf and print it"


def printed(page: str) -> bytes:
    """`page`, a text of HTML, as PDF; raises `MissingExtra` where no browser can do that."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise MissingExtra("a page as PDF needs a browser that can print", hint=_HINT)
    with tempfile.TemporaryDirectory(prefix="grl-page-") as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run"]
        options += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        # Browsers won't start their sandbox for the administrator; the page has no scripts.
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--no-sandbox")
        try:
            done = subprocess.run(
                [browser, *options, source.as_uri()],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
            if done.returncode == 0 and target.exists():
                return target.read_bytes()
            reason = f"{browser} gave status {done.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            reason = str(error)
    raise MissingExtra("the browser here can't print the page", found=reason, hint=_HINT)
