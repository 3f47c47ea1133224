"""SVG to PNG by a headless browser, the one renderer that gets fonts and widths right."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS: Final = 120


def browser() -> str | None:
    """Return the browser of this machine, `None` without one."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def png_of(svg: Path, program: str) -> Path:
    """Write the PNG beside the SVG."""
    text = svg.read_text(encoding="utf-8")
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', text)
    assert box is not None
    width, height = (round(float(value)) for value in box.groups())
    target = svg.with_suffix(".png")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(
            f'<body style="margin:0"><style>svg{{display:block;width:{width}px}}</style>{text}', encoding="utf-8"
        )
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-background-networking",
        ]
        options += [f"--user-data-dir={folder}/browser", f"--window-size={width},{height}", f"--screenshot={target}"]
        subprocess.run([program, *options, page.as_uri()], check=True, capture_output=True, timeout=SECONDS)
    return target
