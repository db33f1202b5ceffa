"""Atomic operations on arrays of whole numbers, and ways to wait, for kernels that run on several threads at once.

A thread that has written data and then adds to or stores a number here is seen by a thread that reads the number to have
written the data before it (release and acquire). Called from plain Python the same functions do the same without atomicity,
so a kernel that uses them still runs as `.py_func`, on one thread.
"""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

SLEEP_MICROSECONDS = 50
"""How long `sleep` gives the processor away, where the system can say so [µs]."""

_YIELD, _SLEEP = "supple_yield_processor", "supple_sleep"
_HINT = ir.Constant(ir.IntType(32), 1)
"""What an ARM processor calls `yield`."""

_X86, _ARM = ("x86_64", "amd64"), ("aarch64", "arm64")


def _define_symbols() -> None:
    """Let compiled code, also such from the cache on disk, find the system's functions by a name of our own."""
    if os.name == "nt":
        switch = ctypes.WinDLL("kernel32").SwitchToThread  # type: ignore[attr-defined,unused-ignore]
        functions = {_YIELD: switch, _SLEEP: switch}
    else:
        system = ctypes.CDLL(None)
        functions = {_YIELD: system.sched_yield, _SLEEP: system.usleep}
    for name, function in functions.items():
        address = ctypes.cast(function, ctypes.c_void_p).value
        assert address is not None
        llvmlite.binding.add_symbol(name, address)


_define_symbols()


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


@intrinsic
def _add(context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _pointer(context, builder, array, *arguments[:2])
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(array, types.intp, types.int64), generate


@intrinsic
def _load(context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, array, *arguments), "acquire", 8)

    return types.int64(array, types.intp), generate


@intrinsic
def _store(context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _pointer(context, builder, array, *arguments[:2]), "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.int64), generate


@intrinsic
def _pause(context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, nothing = ir.IntType(32), ir.VoidType()
        if platform.machine().lower() in _X86:
            kind, name, given = ir.FunctionType(nothing, []), "llvm.x86.sse2.pause", []
        elif platform.machine().lower() in _ARM:
            kind, name, given = ir.FunctionType(nothing, [number]), "llvm.aarch64.hint", [_HINT]
        else:
            return context.get_dummy_value()
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
        return context.get_dummy_value()

    return types.void(), generate


def _system_call(symbol: str) -> Any:
    """Return an intrinsic that calls a function of the system with a number, which it may ignore."""

    @intrinsic
    def call(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = ir.IntType(32)
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(number, [number]), symbol
            )
            builder.call(function, [ir.Constant(number, SLEEP_MICROSECONDS)])
            return context.get_dummy_value()

        return types.void(), generate

    return call


_yield_processor, _sleep = _system_call(_YIELD), _system_call(_SLEEP)


def add(array: Any, index: Any, value: Any) -> Any:
    """Add to a number of an (m,) array of int64 and return what it was before."""
    before = array[index]
    array[index] += value
    return before


def load(array: Any, index: Any) -> Any:
    """Return a number of an (m,) array of int64 as another thread has stored it."""
    return array[index]


def store(array: Any, index: Any, value: Any) -> None:
    """Write a number of an (m,) array of int64, after everything that was written before."""
    array[index] = value


def pause() -> None:
    """Let some tens of processor cycles pass."""


def yield_processor() -> None:
    """Let another thread that wants to run have the processor."""


def sleep() -> None:
    """Let `SLEEP_MICROSECONDS` pass; on Windows the same as `yield_processor`."""


@overload(add, strict=False)
def _overload_add(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _add(array, index, value)


@overload(load, strict=False)
def _overload_load(array: Any, index: Any) -> Any:
    return lambda array, index: _load(array, index)


@overload(store, strict=False)
def _overload_store(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _store(array, index, value)


@overload(pause, strict=False)
def _overload_pause() -> Any:
    return lambda: _pause()


@overload(yield_processor, strict=False)
def _overload_yield_processor() -> Any:
    return lambda: _yield_processor()


@overload(sleep, strict=False)
def _overload_sleep() -> Any:
    return lambda: _sleep()
