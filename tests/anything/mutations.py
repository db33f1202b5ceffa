"""Mutations of files: bytes, numbers, entries of archives and values of JSON, changed at random."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from typing import Any

import numpy as np

Random = np.random.Generator

WORDS = [
    b"0", b"-1", b"1", b"255", b"65536", b"2147483647", b"-2147483648", b"4294967295", b"9223372036854775807",
    b"99999999999999999999999", b"nan", b"inf", b"-inf", b"1e308", b"1e-308", b"-0.0", b"true", b"null", b'""', b"[]",
    b"{}", b"../..", b"/", b"\0",
]  # fmt: skip
"""What numbers and words are replaced by."""

NUMBERS = [0, 1, -1, 2, 127, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**64 - 1]

KINDS = [
    "|O",
    "<M8[s]",
    "|S9",
    "<U3",
    "<c16",
    "<f2",
    "<f4",
    "<f8",
    ">f8",
    "<i1",
    "<i4",
    "<i8",
    "<u4",
    "|b1",
    "|V8",
]
"""Types that a NumPy array may claim to have."""

VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    3,
    2**31,
    2**63,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "a",
    "..",
    "/",
    [],
    {},
]


def mutated(data: bytes, random: Random) -> bytes:
    """Return a file that is like another one, but not quite."""
    if data[:2] == b"PK" and random.random() < 0.8:
        return in_archive(data, random)
    if data[:4] == b"glTF" and random.random() < 0.6:
        return in_glb(data, random)
    if data[:1] == b"{" and random.random() < 0.6:
        try:
            return json.dumps(in_json(json.loads(data), random)).encode()
        except ValueError:
            pass
    for _ in range(int(random.integers(1, 4))):
        data = in_bytes(data, random)
    return data


def in_bytes(data: bytes, random: Random) -> bytes:
    """Change, remove, repeat or insert a few bytes, or a number that is written in digits."""
    if not data:
        return bytes(random.integers(256, size=8, dtype=np.uint8))
    at = int(random.integers(len(data)))
    length = int(min(len(data) - at, 2 ** random.integers(0, 12)))
    way = int(random.integers(7))
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + data[at + length :]
    if way == 2:
        return data[:at] + data[at : at + length] + data[at:]
    if way == 3:
        return data[:at] + bytes(random.integers(256, size=min(length, 16), dtype=np.uint8)) + data[at + 1 :]
    if way == 4:
        form = str(random.choice(["<H", "<I", "<Q", ">I"]))
        size = struct.calcsize(form)
        value = NUMBERS[int(random.integers(len(NUMBERS)))] % (1 << (8 * size))
        return data[:at] + struct.pack(form, value) + data[at + size :]
    found = (
        list(re.finditer(rb"[-+]?\d[\d.eE+-]*|\b[A-Za-z_]{3,}\b", data[at : at + 4096])) if way < 6 else []
    )
    if found:
        match = found[int(random.integers(len(found)))]
        word = WORDS[int(random.integers(len(WORDS)))]
        return data[: at + match.start()] + word + data[at + match.end() :]
    return data[:at] + bytes([data[at] ^ (1 << int(random.integers(8)))]) + data[at + 1 :]


def in_json(value: Any, random: Random, depth: int = 0) -> Any:
    """Replace, remove or repeat something in a tree of JSON."""
    if isinstance(value, dict) and value and (depth == 0 or random.random() < 0.85):
        key = str(random.choice(list(value)))
        if random.random() < 0.1:
            return {name: entry for name, entry in value.items() if name != key}
        return {**value, key: in_json(value[key], random, depth + 1)}
    if isinstance(value, list) and value and (depth == 0 or random.random() < 0.85):
        n = int(random.integers(len(value)))
        if random.random() < 0.1:
            return value[:n] + value[n + 1 :]
        if random.random() < 0.1:
            return [*value, value[n]]
        return [*value[:n], in_json(value[n], random, depth + 1), *value[n + 1 :]]
    if isinstance(value, int | float) and random.random() < 0.4:
        return value + int(random.integers(-3, 4))
    return VALUES[int(random.integers(len(VALUES)))]


def in_glb(data: bytes, random: Random) -> bytes:
    """Change the JSON of a binary glTF file, whose lengths are made to fit again."""
    length = struct.unpack_from("<I", data, 12)[0]
    try:
        text = json.dumps(in_json(json.loads(data[20 : 20 + length]), random)).encode()
    except (ValueError, struct.error):
        return in_bytes(data, random)
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    return (
        struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + rest
    )


def in_archive(data: bytes, random: Random) -> bytes:
    """Change an entry of an archive, whose checksums are right afterwards."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = {
                entry.filename: (archive.read(entry), entry.compress_type) for entry in archive.infolist()
            }
    except Exception:
        return in_bytes(data, random)
    if not entries:
        return in_bytes(data, random)
    name = str(random.choice(list(entries)))
    content, packing = entries[name]
    if random.random() < 0.05:
        del entries[name]
    else:
        if name.endswith(".npy"):
            content = in_array(content, random)
        elif name.endswith(".json"):
            try:
                content = json.dumps(in_json(json.loads(content), random)).encode()
            except ValueError:
                content = in_bytes(content, random)
        else:
            content = in_bytes(content, random)
        entries[name] = content, packing
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, (content, packing) in entries.items():
            archive.writestr(name, content, packing)
    return buffer.getvalue()


def in_array(data: bytes, random: Random) -> bytes:
    """Change the head of a NumPy array, or its numbers."""
    try:
        stream = io.BytesIO(data)
        np.lib.format.read_magic(stream)
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
        values = np.frombuffer(data[stream.tell() :], kind).copy()
    except Exception:
        return in_bytes(data, random)
    if (
        values.dtype == np.uint8 and values[:1].tobytes() == b"{" and random.random() < 0.9
    ):  # JSON in an array
        try:
            changed = json.dumps(in_json(json.loads(values.tobytes()), random)).encode()
        except ValueError:
            changed = in_bytes(values.tobytes(), random)
        values, shape = np.frombuffer(changed, np.uint8), (len(changed),)
    elif random.random() < 0.6 and len(values) and kind.kind in "iufb":
        for _ in range(int(random.integers(1, 3))):
            values[int(random.integers(len(values)))] = _value(kind, random)
    elif random.random() < 0.5:
        return _with_head(data[stream.tell() :], str(random.choice(KINDS)), shape)
    else:
        sizes = [*shape]
        if sizes and random.random() < 0.8:
            sizes[int(random.integers(len(sizes)))] = int(random.choice([0, 1, 2, 3, 7, -1, 2**31, 2**62]))
        else:
            sizes.append(1)
        return _with_head(data[stream.tell() :], kind.str, tuple(sizes))
    if values.size != int(np.prod(shape)):
        return in_bytes(data, random)
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, values.reshape(shape), allow_pickle=False)
    return buffer.getvalue()


def _value(kind: np.dtype[Any], random: Random) -> Any:
    if kind.kind == "f":
        return random.choice([0.0, -1.0, 1e-300, 1e300, np.inf, -np.inf, np.nan, 1.0])
    if kind.kind == "b":
        return bool(random.integers(2))
    limits = np.iinfo(kind)
    return int(random.choice([0, 1, 2, 3, 17, 100, limits.max, limits.min, limits.max // 2]))


def _with_head(content: bytes, kind: str, shape: tuple[int, ...]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": kind, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + content
