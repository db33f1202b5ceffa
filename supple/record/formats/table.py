"""Tables of what every step did and cost: CSV for everybody, Parquet for data frames.

Columns are the fields of `StepReport`, vectors as `_x`, `_y`, `_z`, and `ms_STAGE` for the stages.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.frame import Frame
from supple.record.writer import Plan, Writer, telling

Columns = dict[str, npt.NDArray[np.float64]]


class CsvTable(Writer):
    """Writes a row for every step, each on disk as soon as it is known."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path, plan)
        self._place = self._table()
        self._columns: list[str] = []
        kept: list[str] = []
        if plan.kept:
            with telling(self._place):
                kept = self._place.read_text(encoding="utf-8").splitlines(keepends=True)
            self._columns = kept[0].strip().split(",") if kept else []
            frames = self._columns.index("frame") if "frame" in self._columns else 0
            kept = kept[:1] + [row for row in kept[1:] if float(row.split(",")[frames]) < plan.kept]
        with telling(self._place):
            self._file: IO[str] = self._place.open("w", encoding="utf-8", newline="")
            self._file.writelines(kept)
            self._file.flush()
        self._count = max(len(kept) - 1, 0)

    def _table(self) -> Path:
        return self.path

    def add(self, frame: Frame) -> None:
        """Write a row; the start has none, since no step led there."""
        if not frame.report:
            return
        with telling(self.path):
            if not self._columns:
                self._columns = list(frame.report)
                self._file.write(",".join(self._columns) + "\n")
            row = (frame.report.get(name, np.nan) for name in self._columns)
            self._file.write(",".join(f"{value:.17g}" for value in row) + "\n")
            self._file.flush()
        self._count += 1

    def close(self) -> list[Path]:
        """Let go of the file; without a row there is none."""
        with telling(self.path):
            self._file.close()
        if self._count == 0:
            self._place.unlink(missing_ok=True)
            return []
        return [self.path]


class ParquetTable(CsvTable):
    """The same as Parquet; rows wait in a CSV beside it, since Parquet is readable only as a whole."""

    def _table(self) -> Path:
        return self.parts

    def close(self) -> list[Path]:
        """Write the file."""
        if not super().close():
            return []
        import pyarrow
        import pyarrow.parquet

        part = self.path.with_name(self.path.name + ".tmp")
        columns = read_table(self.parts)
        try:
            pyarrow.parquet.write_table(pyarrow.table(columns), part)
            part.replace(self.path)
        except OSError as trouble:
            raise SuppleError(
                f"cannot write {self.path}: {trouble}. The rows are safe in {self.parts}, as CSV."
            ) from trouble
        finally:
            part.unlink(missing_ok=True)
        return [self.path]


def read_table(path: Path) -> Columns:
    """Return the columns of a `.csv` or `.parquet` file that supple wrote."""
    try:
        if path.suffix.lower() == ".parquet" and path.exists():
            import pyarrow.parquet

            table = pyarrow.parquet.read_table(path)
            return {name: table[name].to_numpy().astype(np.float64) for name in table.column_names}
        if not path.exists():
            path = path.with_name(path.name + ".part")
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
        # A run that was killed may have left half a row.
        whole = [row for row in rows[1:] if len(row) == len(rows[0])]
        values = np.array(whole, dtype=np.float64).reshape(-1, len(rows[0]))
        return {name: values[:, n] for n, name in enumerate(rows[0])}
    except OSError as trouble:
        raise SuppleError(f"cannot open {path}: {trouble.strerror or trouble}.") from trouble
    except (ValueError, IndexError):
        raise SuppleError(f"{path} is no table of reports that supple wrote.") from None
