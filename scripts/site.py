"""Hooks of MkDocs: what the site shows of the files outside docs/, and where pages stand that nobody listed.

`make docs` builds the site. Pages link to files of the repository as they lie there, so that they can be read in a
checkout too; here such links lead to copies within the site. A link that leads nowhere ends the build.
"""

from __future__ import annotations

import logging
import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
LOG = logging.getLogger("mkdocs.hooks.site")

PROJECT_PAGES = {
    "README.md": "project/readme.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "SECURITY.md": "project/security.md",
}
"""Pages at the root of the repository, and where the site has them."""

COPIED = {
    "supple/gallery/*.png": "gallery",
    "examples/*.py": "examples",
    "examples/web/*": "examples/web",
    "examples/notebooks/*.ipynb": "examples/notebooks",
    "CITATION.cff": "project",
}
"""Other files that pages link to, and the folders of the site they are put into. Programs become pages."""

SECTIONS = {
    "tutorials": "Tutorials",
    "guide": "Guides",
    "reference": "Reference",
    "papers": "Papers",
    "theory": "Theory",
    "notes": "Notes",
    "decisions": "Decisions",
}
"""Folders of docs/, and the sections their pages stand in. The last two belong to Project."""

FILMS = ("banner-cut", "scarf", "skirt", "knot")
"""Scenes with a film in docs/images."""

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?\)")


# ---------------------------------------------------------------- files


def copies() -> dict[str, str]:
    """Return paths in the repository and in the site of all files that are shown besides docs/."""
    places = dict(PROJECT_PAGES)
    for pattern, folder in COPIED.items():
        for path in sorted(ROOT.glob(pattern)):
            name = f"{path.stem}.md" if path.suffix == ".py" else path.name
            places[path.relative_to(ROOT).as_posix()] = f"{folder}/{name}"
    return places


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of the project, pictures, examples, and the page of the gallery."""
    for source, place in copies().items():
        if source.endswith(".py"):
            code = (ROOT / source).read_text(encoding="utf-8")
            files.append(
                File.generated(config, place, content=f"# {Path(source).name}\n\n```python\n{code}```\n")
            )
        elif place.endswith(".md"):
            text = (ROOT / source).read_text(encoding="utf-8")
            files.append(File.generated(config, place, content=relinked(text, source, place)))
        else:
            files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    files.append(File.generated(config, "gallery/README.md", content=gallery_page()))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links that leave docs/ lead to the copies."""
    source = page.file.src_uri
    if page.file.abs_src_path is None or not (ROOT / "docs" / source).is_file():  # made above, with its links
        return markdown
    return relinked(markdown, f"docs/{source}", source)


def relinked(text: str, source: str, place: str) -> str:
    """Return a page with its links as they are in the site.

    Args:
        text: Markdown
        source: path of the page in the repository, which its links are relative to
        place: path of the page in the site
    """
    known = copies()

    def moved(match: re.Match[str]) -> str:
        target = match[2]
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path in known:
            within = known[path]
        elif path.startswith("docs/"):
            within = path.removeprefix("docs/")
        elif (ROOT / path).exists() and not match[1].startswith("!"):
            return match[1][1:-2]  # a file of the repository alone: its name, without a link
        else:
            LOG.warning("%s links to %s, which the site does not have (scripts/site.py)", source, target)
            return match[0]
        there = posixpath.relpath(within, posixpath.dirname(place) or ".")
        return f"{match[1]}{there}{match[3] or ''})"

    return LINK.sub(moved, text)


# ---------------------------------------------------------------- the gallery


def gallery_page() -> str:
    """Return the page that shows every scene, from the scenes' own titles and descriptions."""
    cards = []
    for path in sorted((ROOT / "supple" / "gallery").glob("*.toml")):
        scene = tomllib.loads(path.read_text(encoding="utf-8"))
        name = path.stem
        film = f"../images/{name}.webp"
        picture = film if name in FILMS else f"{name}.png"
        about = " ".join(scene.get("description", "").split())
        cards.append(
            f"-   ![{scene['title']}]({picture})\n\n    **{scene['title']}**\n\n    {about}\n\n    `supple play {name}`\n"
        )
    return "\n".join(
        [
            "# All scenes",
            "",
            "Pick a scene to start from: play it, copy its file, change it. "
            "[What each one shows and how it is checked](../guide/gallery.md) is a page of its own.",
            "",
            '<div class="grid cards" markdown>',
            "",
            *cards,
            "</div>",
            "",
        ]
    )


# ---------------------------------------------------------------- navigation


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put pages that mkdocs.yml does not name into the section of their folder."""
    nav: list[Any] = config.nav or []
    listed = set(re.findall(r"[\w./-]+\.md", str(nav)))
    sections = {title: pages for entry in nav for title, pages in entry.items() if isinstance(pages, list)}
    docs = Path(config.docs_dir)
    for folder, title in SECTIONS.items():
        names = sorted(path.relative_to(docs).as_posix() for path in (docs / folder).glob("**/*.md"))
        names.sort(key=lambda name: not name.endswith("README.md"))  # the page about the folder comes first
        missing = [name for name in names if name not in listed]
        if not missing:
            continue
        if title in ("Notes", "Decisions"):
            sections["Project"].append({title: missing})
        elif title in sections:
            sections[title].extend(missing)
        else:
            before = next(number for number, entry in enumerate(nav) if "Theory" in entry)
            nav.insert(before, {title: missing})
    config.nav = nav
    return config
