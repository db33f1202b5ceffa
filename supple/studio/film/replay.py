"""Recordings in a browser tab, with a time line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from supple.errors import SuppleError
from supple.record.readers.recording_reader import open_reader
from supple.studio.connection.listener import LOCAL_NAMES, clear_text_warning
from supple.studio.film.recording_server import RecordingServer
from supple.studio.play import open_page

PAGE = "replay.html"


def replay(
    recordings: Sequence[str | os.PathLike[str]],
    *,
    host: str = "127.0.0.1",
    port: int = 8747,
    open_browser: bool = True,
    blocking: bool = True,
    say: Callable[[str], None] | None = None,
) -> RecordingServer:
    """Show one recording, or two side by side, in a browser tab.

    Args:
        recordings: one or two files that `supple.open` reads
        host: address to listen on
        port: where to listen, or the next that is free
        open_browser: whether to open a tab
        blocking: whether to return only when Ctrl-C is pressed
        say: takes each line for the user; None writes them to the error stream

    Returns:
        The server, stopped already if `blocking`.
    """
    if not 1 <= len(recordings) <= 2:
        raise SuppleError(f"{len(recordings)} recordings cannot be shown: name one, or two to compare.")
    tell = say or _say
    with ExitStack() as stack:
        opened = [stack.enter_context(open_reader(path)) for path in recordings]
        server = RecordingServer(PAGE, opened, host=host, port=port).start()
        kept = stack.pop_all()
    try:
        if host not in LOCAL_NAMES:
            tell(clear_text_warning(host))
        if open_browser and not open_page(server.one_time_link()):
            tell("No browser can be opened here. Open this link in one:")
        tell(server.link)
        if blocking:
            tell("Press Ctrl-C to stop.")
            server.wait()
    except KeyboardInterrupt:
        tell("Stopping.")
    if blocking:
        server.stop()
        kept.close()
    return server


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
