"""The studio in a frame, below a cell of a notebook."""

from __future__ import annotations

import html


def studio_html(links: tuple[str, str], height: int = 620) -> str:
    """Return a frame that shows a studio, as HTML.

    Browsers give a page in a frame its cookie only if it is of the same host as the page around it: where scripts run, the
    frame takes over the name that this machine has there.

    Args:
        links: one for each name that the studio may be asked for, as each lets a page in once
        height: of the frame [pixels]
    """
    first, other = (html.escape(link) for link in links)
    style = f"width:100%;height:{height}px;border:0;border-radius:8px"
    return (
        f'<iframe src="{first}" style="{style}" allow="fullscreen; xr-spatial-tracking; clipboard-write"></iframe>'
        f"<script>{{const f=document.currentScript.previousElementSibling;"
        f"if(location.hostname==='localhost')f.src='{other}'}}</script>"
    )
