"""Four numbers at once: the vector registers of the processor, for the dense inner loops of `solve`.

Without licence to reorder sums (`fastmath` is off) the compiler leaves most inner loops of a
factor scalar. These few functions say what it may not guess: `load` fetches a row of an
(m, 4) array as one value, `minus_product` works on all four lanes in one instruction, and
`store` writes the row back. Each lane is rounded exactly as the scalar operation would be
(a product, then a difference; never fused), so results do not depend on the machine.

Called from plain Python the same functions work on NumPy arrays of four numbers, so a kernel that uses
them still runs as `.py_func`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.datamodel import PrimitiveModel
from numba.extending import intrinsic, overload, register_model

WIDTH = 4
"""Numbers in one value: what a 256-bit register holds in double precision."""


class Lanes(types.Type):
    """The compiler's type of four float64 numbers held in one register."""

    def __init__(self) -> None:
        """Name the type; all its instances are equal."""
        super().__init__(name="Lanes")


LANES = Lanes()
_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


@register_model(Lanes)
class _LanesModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTOR)


def _row_pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """Return the address of a row; rows count from 0, negative ones are not wrapped round."""
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.gep(data, [builder.mul(row, ir.Constant(row.type, WIDTH))])
    element = ir.FloatType() if array_type.dtype == types.float32 else ir.DoubleType()
    return builder.bitcast(first, ir.VectorType(element, WIDTH).as_pointer())


@intrinsic
def _load(typing_context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _row_pointer(context, builder, signature.args[0], *arguments)
        value = builder.load(pointer, align=signature.args[0].dtype.bitwidth // 8)
        if signature.args[0].dtype == types.float32:
            value = builder.fpext(value, _VECTOR)
        return value

    return LANES(array, types.intp), generate


@intrinsic
def _element(typing_context: Any, array: Any, row: Any, lane: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, row, lane = arguments
        data = context.make_array(signature.args[0])(context, builder, array_value).data
        offset = builder.add(builder.mul(row, ir.Constant(row.type, WIDTH)), lane)
        value = builder.load(builder.gep(data, [offset]))
        if signature.args[0].dtype == types.float32:
            value = builder.fpext(value, ir.DoubleType())
        return value

    return types.float64(array, types.intp, types.intp), generate


@intrinsic
def _item(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load(builder.gep(data, [arguments[1]]))

    return array.dtype(array, types.intp), generate


@intrinsic
def _store(typing_context: Any, array: Any, row: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _row_pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, LANES), generate


def _splat(builder: Any, scalar: Any) -> Any:
    lane = ir.Constant(ir.IntType(32), 0)
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, lane)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)


@intrinsic
def _minus_product(typing_context: Any, value: Any, factor: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        product = builder.fmul(_splat(builder, arguments[1]), arguments[2])
        return builder.fsub(arguments[0], product)

    return LANES(LANES, types.float64, LANES), generate


@intrinsic
def _scaled(typing_context: Any, value: Any, factor: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(arguments[0], _splat(builder, arguments[1]))

    return LANES(LANES, types.float64), generate


@intrinsic
def _plus(typing_context: Any, value: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return LANES(LANES, LANES), generate


@intrinsic
def _pack(typing_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = ir.Constant(_VECTOR, ir.Undefined)
        for lane, scalar in enumerate(arguments):
            value = builder.insert_element(value, scalar, ir.Constant(ir.IntType(32), lane))
        return value

    return LANES(*[types.float64] * WIDTH), generate


def load(array: Any, row: Any) -> Any:
    """Return row `row` >= 0 of a C-ordered (m, 4) array, as float64."""
    return array[row].astype(np.float64)


def element(array: Any, row: Any, lane: Any) -> Any:
    """Return one number of row `row` >= 0 of a C-ordered (m, 4) array, as float64."""
    return np.float64(array[row, lane])


def item(array: Any, index: Any) -> Any:
    """Return the number at `index` >= 0 of a C-ordered (m,) array, without looking for negative indices."""
    return array[index]


def store(array: Any, row: Any, value: Any) -> None:
    """Write four lanes to row `row` >= 0 of a C-ordered (m, 4) float64 array."""
    array[row] = value


def minus_product(value: Any, factor: Any, other: Any) -> Any:
    """Return value - factor * other, lane by lane; `factor` is one number."""
    return value - factor * other


def scaled(value: Any, factor: Any) -> Any:
    """Return value * factor, lane by lane; `factor` is one number."""
    return value * factor


def plus(value: Any, other: Any) -> Any:
    """Return value + other, lane by lane."""
    return value + other


def pack(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return four numbers as the four lanes of one value."""
    return np.array((a, b, c, d))


@overload(load, strict=False)
def _overload_load(array: Any, row: Any) -> Any:
    return lambda array, row: _load(array, row)


@overload(element, strict=False)
def _overload_element(array: Any, row: Any, lane: Any) -> Any:
    return lambda array, row, lane: _element(array, row, lane)


@overload(item, strict=False)
def _overload_item(array: Any, index: Any) -> Any:
    return lambda array, index: _item(array, index)


@overload(store, strict=False)
def _overload_store(array: Any, row: Any, value: Any) -> Any:
    return lambda array, row, value: _store(array, row, value)


@overload(minus_product, strict=False)
def _overload_minus_product(value: Any, factor: Any, other: Any) -> Any:
    return lambda value, factor, other: _minus_product(value, factor, other)


@overload(scaled, strict=False)
def _overload_scaled(value: Any, factor: Any) -> Any:
    return lambda value, factor: _scaled(value, factor)


@overload(plus, strict=False)
def _overload_plus(value: Any, other: Any) -> Any:
    return lambda value, other: _plus(value, other)


@overload(pack, strict=False)
def _overload_pack(a: Any, b: Any, c: Any, d: Any) -> Any:
    return lambda a, b, c, d: _pack(a, b, c, d)
