"""Draw the figures of the papers' pages and note what they measure.

    python -m scripts.figures.draw [NAME]...

Pictures go to docs/papers/images, numbers to docs/papers/measured.json, from which the pages take them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.figures import debunne, desbrun, gudukbay, kang, meyer

FOLDER = Path(__file__).parents[2] / "docs" / "papers"

FIGURES = {**desbrun.FIGURES, **kang.FIGURES, **gudukbay.FIGURES, **meyer.FIGURES, **debunne.FIGURES}
"""Every figure by the name of its picture: a function that draws it into a file and returns what it measures."""


def main() -> int:
    """Draw the named figures, or all."""
    unknown = [name for name in sys.argv[1:] if name not in FIGURES]
    if unknown:
        print(f"no figure named {', '.join(unknown)}. Figures: {', '.join(FIGURES)}.", file=sys.stderr)
        return 2
    kept = FOLDER / "measured.json"
    measured = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    (FOLDER / "images").mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or FIGURES:
        path = FOLDER / "images" / f"{name}.png"
        measured[name] = {key: float(f"{value:.4g}") for key, value in FIGURES[name](path).items()}
        kept.write_text(json.dumps(measured, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(f"wrote {path.name}, {path.stat().st_size / 1e3:.0f} kB: {measured[name]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
