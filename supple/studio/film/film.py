"""Films: a recording drawn by the studio's own page, without a screen, as `.mp4`, `.gif`, `.webp` or numbered pictures.

A headless Chromium draws frame after frame and sends the pixels back as they are; ffmpeg makes a film of
them. What is filmed looks exactly like what is seen in the studio.
"""

from __future__ import annotations

import math
import queue
import re
import subprocess
import tempfile
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.frame_folder import DeferredWriter
from supple.record.pictures.picture import save_picture
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan
from supple.studio.film.chromium import NOT_FOUND, chromium_path, next_picture, running_browser
from supple.studio.film.recording_server import RecordingServer, page_is_built

Pixels = npt.NDArray[np.uint8]

COMPLAINT = 4294967295
"""Number of a picture that is none but a text: what went wrong on the page."""

PAGE = "film.html"


class Film(DeferredWriter):
    """Base of all films: the page draws the pictures when all frames are there."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        size: tuple[int, int] = (960, 600),
        quality: str = "high",
        theme: str = "dark",
        azimuth: float = 0.5,
        elevation: float = 0.22,
        film_rate: float | None = None,
    ) -> None:
        """See `Writer`.

        Args:
            path: the file to write
            plan: what will come
            size: width and height [pixels]
            quality: "high", or "low" for speed
            theme: "dark" or "light"
            azimuth: direction to look from, 0 is from +z, growing towards +x [rad]
            elevation: how far above the horizon to look from [rad]
            film_rate: pictures a second [1/s]; None is the recording's frame rate, but at most `most_rate`
        """
        _check_options(size, quality, theme, film_rate)
        browser = chromium_path()
        if browser is None:
            raise SuppleError(f"cannot write {path}: a film {NOT_FOUND}")
        if not page_is_built(PAGE):
            raise SuppleError(
                f"cannot write {path}: the studio's page has not been built. Run `python scripts/build_page.py`."
            )
        self._browser = browser
        self._size = size
        self._options = f"quality={quality}&theme={theme}&azimuth={azimuth}&elevation={elevation}"
        self.rate = min(plan.frame_rate, self.most_rate) if film_rate is None else film_rate
        super().__init__(path, plan)

    most_rate = 60.0
    """Pictures a second that make sense in the format [1/s]."""

    def pictures(self, recording: RecordingReader) -> Iterator[Pixels]:
        """Yield every picture, (height, width, 4) uint8, the lowest row first."""
        span = float(recording.times[-1] - recording.times[0])
        count = math.floor(span * self.rate + 1e-6) + 1
        made: queue.Queue[tuple[int, bytes]] = queue.Queue()
        with RecordingServer(PAGE, [recording], picture=lambda n, data: made.put((n, data))) as server:
            address, _, secret = server.one_time_link().partition("#")
            query = (
                f"width={self._size[0]}&height={self._size[1]}&count={count}&step={recording.frame_rate / self.rate}"
                f"&last={len(recording) - 1}&{self._options}"
            )
            with running_browser(self._browser, f"{address}?{query}#{secret}", self._size) as process:
                waiting: dict[int, bytes] = {}
                for number in range(count):
                    while number not in waiting:
                        got, data = next_picture(made, process)
                        if got == COMPLAINT:
                            raise SuppleError(
                                f"the page could not draw: {data.decode(errors='replace')[:400]}"
                            )
                        waiting[got] = data
                    shape = (self._size[1], self._size[0], 4)
                    yield np.frombuffer(waiting.pop(number), np.uint8).reshape(shape)
                    self.told(number + 1, count)

    @abstractmethod
    def finish(self, recording: RecordingReader) -> list[Path]:
        """Film it."""


def _check_options(size: tuple[int, int], quality: str, theme: str, film_rate: float | None) -> None:
    if not all(isinstance(side, int) and 16 <= side <= 4096 for side in size):
        raise SuppleError(f"a film of {size[0]} x {size[1]} pixels: sides go from 16 to 4096.")
    for word, value, known in (
        ("quality", quality, ("high", "low")),
        ("theme", theme, ("dark", "light")),
    ):
        if value not in known:
            raise SuppleError(f'the {word} of a film is "{value}", but it must be {known[0]} or {known[1]}.')
    if film_rate is not None and not 0.1 <= film_rate <= 1000.0:
        raise SuppleError(f"a film of {film_rate:g} pictures a second: it must be from 0.1 to 1000.")


class EncodedFilm(Film):
    """A film by ffmpeg."""

    @abstractmethod
    def encoded(self, recording: RecordingReader, target: Path) -> None:
        """Write the film as a file under a name that only ffmpeg sees."""

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Hand every picture to ffmpeg; the file is there when it is whole."""
        part = self.path.with_name(f"{self.path.stem}.tmp{self.path.suffix}")
        try:
            self.encoded(recording, part)
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        return [self.path]

    def encode(self, recording: RecordingReader, words: list[str], target: Path) -> None:
        """Draw every picture straight into ffmpeg, which writes `target` as `words` say, the uppermost row first."""
        pixels = [
            "-f", "rawvideo", "-pixel_format", "rgba", "-video_size", f"{self._size[0]}x{self._size[1]}",
            "-framerate", f"{self.rate:g}", "-i", "-",
        ]  # fmt: skip
        self.ffmpeg([*pixels, *words, str(target)], self.pictures(recording))

    def ffmpeg(self, words: list[str], pictures: Iterable[Pixels] = ()) -> None:
        """Run ffmpeg, with pictures on its standard input.

        Raises:
            SuppleError: what ffmpeg complains of
        """
        import imageio_ffmpeg

        command = [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-y", *words]
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints
            )
            assert process.stdin is not None
            try:
                for pixels in pictures:
                    process.stdin.write(pixels.data)
            except BrokenPipeError:
                pass  # ffmpeg tells why
            except BaseException:
                process.kill()
                raise
            finally:
                with suppress(BrokenPipeError):
                    process.stdin.close()
                process.wait()
            if process.returncode != 0:
                complaints.seek(0)
                said = complaints.read().decode(errors="replace").strip().splitlines()
                raise SuppleError(f"cannot write {self.path}: ffmpeg says: {said[-1] if said else 'nothing'}")


class Mp4Film(EncodedFilm):
    """H.264, which every player and browser shows."""

    def encoded(self, recording: RecordingReader, target: Path) -> None:
        """Write H.264 in pairs of pixels, which most players insist on."""
        words = [
            "-vf", "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18",
            "-pix_fmt", "yuv420p", "-movflags", "+faststart",
        ]  # fmt: skip
        self.encode(recording, words, target)


class GifFilm(EncodedFilm):
    """A GIF that plays for ever. Its clock knows hundredths of a second, so 50 a second is the most it shows."""

    most_rate = 25.0

    def encoded(self, recording: RecordingReader, target: Path) -> None:
        """Write a GIF with one set of colours for all its pictures.

        What stands still then is equal in every picture and takes no room: a quarter of the size of colours chosen
        for each. They are known only when all pictures are, so these are kept without loss until then.
        """
        with tempfile.TemporaryDirectory(prefix="supple-film-") as folder:
            drawn, colours = Path(folder, "drawn.mkv"), Path(folder, "colours.png")
            lossless = ["-vf", "vflip", "-c:v", "libx264rgb", "-preset", "ultrafast", "-qp", "0"]
            self.encode(recording, lossless, drawn)
            self.ffmpeg(["-i", str(drawn), "-vf", "palettegen", "-update", "1", str(colours)])
            drawing = "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
            self.ffmpeg(["-i", str(drawn), "-i", str(colours), "-lavfi", drawing, "-loop", "0", str(target)])


class WebpFilm(EncodedFilm):
    """A film that plays for ever like a GIF, in all colours; browsers show it, few other programs do."""

    most_rate = 25.0

    def encoded(self, recording: RecordingReader, target: Path) -> None:
        """Write animated WebP at a quality that shows no blocks on plain cloth (75 does)."""
        words = [
            "-vf",
            "vflip",
            "-c:v",
            "libwebp_anim",
            "-pix_fmt",
            "yuv420p",
            "-quality",
            "85",
            "-loop",
            "0",
        ]
        self.encode(recording, words, target)


class PictureSequence(Film):
    """`film####.png`: a picture of every frame, the signs replaced by its number."""

    def existing(self) -> list[Path]:
        """Return the pictures that are there."""
        before, _, after = re.sub("#+", "#", self.path.name, count=1).partition("#")
        pattern = re.compile(re.escape(before) + r"\d+" + re.escape(after))
        return sorted(entry for entry in self.path.parent.iterdir() if pattern.fullmatch(entry.name))

    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write a file for every picture."""
        files = []
        for stale in self.existing():
            stale.unlink()
        for number, pixels in enumerate(self.pictures(recording)):
            signs = re.search("#+", self.path.stem)
            assert signs is not None  # or it would be a still
            name = self.path.name.replace(signs[0], f"{number:0{len(signs[0])}d}", 1)
            files.append(save_picture(np.ascontiguousarray(pixels[::-1, :, :3]), self.path.with_name(name)))
        return files
