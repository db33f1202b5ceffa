"""Fuzzing of all readers: mutated files may be refused in words, and nothing else.

Run by hand with `python -m tests.anything.readers FOLDER [--targets NAME ...] [--first N] [--count N]`. Files that show
something new of a reader are mutated further (coverage by lines of the package's own readers). Each target runs in a
process of its own, so that one that crashes or hangs is found as well; what was found stays in FOLDER as a file.
"""

from __future__ import annotations

import argparse
import faulthandler
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from supple.errors import SuppleError
from tests.anything.mutations import mutated
from tests.anything.samples import TARGETS, write_samples

MOST_SECONDS = 10.0
"""Time a file may take [s]."""

MOST_MEGABYTES = 700
"""Memory that a small file may take [MB]."""

MOST_SAMPLES = 200
"""Files kept for further mutation."""

READERS = ("/supple/record/", "/supple/scene/", "/supple/state.py", "/supple/edit/history/")


class Finding(NamedTuple):
    """A file that was not read as it should be."""

    target: str
    number: int
    what: str
    file: Path


class SlowError(BaseException):
    """A file takes too long; no reader catches this."""


class Coverage:
    """Lines of the readers that have run so far."""

    def __init__(self) -> None:
        """Know nothing."""
        self._lines: set[tuple[str, int]] = set()
        self.has_grown = False

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Watch a call, if it is one of a reader's."""
        name = frame.f_code.co_filename
        return self._line if any(part in name for part in READERS) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        line = (frame.f_code.co_filename, frame.f_lineno)
        if line not in self._lines:
            self._lines.add(line)
            self.has_grown = True
        return self._line


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise SlowError


def check_files(target: str, samples: Path, found: Path, first: int, count: int) -> Iterator[Finding]:
    """Mutate and read files; yield those that are not read as they should be.

    Args:
        target: name in `TARGETS`
        samples: folder with files as `write_samples` wrote them; one of them is overwritten again and again
        found: folder where files are kept that break something
        first: number of the first mutation
        count: how many
    """
    file, read = TARGETS[target]
    path = samples / file
    sample, coverage = path.read_bytes(), Coverage()
    corpus = [sample]
    signal.signal(signal.SIGALRM, _too_slow)
    read(path)  # compiles what is needed, and shows that the sample is whole
    for number in range(first, first + count):
        random = np.random.default_rng([number, *target.encode()])
        data = mutated(corpus[int(random.integers(len(corpus)))], random)
        path.write_bytes(data)
        (found / f"{target}.now").write_bytes(data)  # what is left if the process ends here
        (found / f"{target}.number").write_text(str(number))
        before, coverage.has_grown, what = _peak(), False, ""
        signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
        sys.settrace(coverage.trace)
        try:
            read(path)
        except SuppleError:
            pass
        except SlowError:
            what = f"takes more than {MOST_SECONDS:g} s"
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        if not what and _peak() - before > MOST_MEGABYTES:
            what = f"takes {_peak() - before:.0f} MB"
        if what:
            kept = found / f"{target}-{number}{path.suffix}"
            kept.write_bytes(data)
            yield Finding(target, number, what, kept)
        elif coverage.has_grown and len(corpus) < MOST_SAMPLES:
            corpus.append(data)
    path.write_bytes(sample)


def _peak() -> float:
    """Return the largest memory of this process so far [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def fuzz(targets: Sequence[str], found: Path, first: int, count: int) -> Iterator[str]:
    """Let processes of their own check `count` mutations of each target; yield what each found, in lines."""
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples"
        samples.mkdir()
        write_samples(samples)
        for target in targets:
            number, end = first, first + count
            while number < end:
                own = Path(folder) / "own"
                shutil.rmtree(own, ignore_errors=True)
                shutil.copytree(samples, own)
                order = [sys.executable, "-m", "tests.anything.readers", str(found), "--child", str(own)]
                order += ["--targets", target, "--first", str(number), "--count", str(end - number)]
                limit = 60.0 + 0.5 * MOST_SECONDS * (end - number)
                try:
                    done = subprocess.run(order, capture_output=True, text=True, timeout=limit, check=False)
                    code, output, trouble = done.returncode, done.stdout, done.stderr
                except subprocess.TimeoutExpired:
                    code, output, trouble = -1, "", "it hangs"
                yield from output.splitlines()
                if code == 0:
                    break
                # The process has ended: that file is kept, and the next one is tried.
                number = int((found / f"{target}.number").read_text())
                kept = found / f"{target}-{number}.crash"
                shutil.move(found / f"{target}.now", kept)
                yield f"{target} {number}: ended with {code}: {' '.join(trouble.split())[-400:]} ({kept})"
                number += 1


def main() -> int:
    """Run as a program; return how many files broke something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("found", type=Path)
    parser.add_argument("--targets", nargs="*", default=list(TARGETS))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--child", type=Path)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    faulthandler.enable()
    if chosen.child is not None:
        for target in chosen.targets:
            for finding in check_files(target, chosen.child, chosen.found, chosen.first, chosen.count):
                print(f"{finding.target} {finding.number}: {finding.what} ({finding.file})", flush=True)
            for name in ("now", "number"):
                (chosen.found / f"{target}.{name}").unlink(missing_ok=True)
        return 0
    begin, lines = time.monotonic(), 0
    for line in fuzz(chosen.targets, chosen.found, chosen.first, chosen.count):
        lines += 1
        print(line, flush=True)
    total = chosen.count * len(chosen.targets)
    print(f"{total} files in {time.monotonic() - begin:.0f} s, {lines} that broke something")
    return min(lines, 100)


if __name__ == "__main__":
    sys.exit(main())
