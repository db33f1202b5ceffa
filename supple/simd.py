"""Packs of eight numbers with ordinary arithmetic: the vector registers of the processor, for loops over points.

Without licence to reorder sums (`fastmath` is off) the compiler leaves most loops over points scalar. A kernel that
works on packs computes the same formula for eight points at once; written with `+`, `-`, `*` and `/` it still reads like
the formula. Each of the eight numbers is rounded exactly as the scalar operation would be (no fused products), so results
do not depend on the machine. Packs hold float64 or float32; both may be mixed with one number of Python's float type.

Called from plain Python the same functions work on NumPy arrays of eight numbers, so a kernel that uses them still runs
as `.py_func`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import PrimitiveModel
from numba.extending import intrinsic, overload, register_model

WIDTH = 8
"""Numbers in a pack: a 512-bit register in double precision, or two of 256 bits."""


ROW = 4
"""Numbers that a point takes in an array of rows: its three coordinates and a zero."""


class Pack(types.Type):
    """The compiler's type of eight numbers held in registers."""

    def __init__(self, number: Any) -> None:
        """Name the type after that of its numbers."""
        self.number = number
        super().__init__(name=f"Pack({number})")


class Mask(types.Type):
    """The compiler's type of eight truth values."""

    def __init__(self) -> None:
        """Name the type; all its instances are equal."""
        super().__init__(name="PackMask")


DOUBLES, SINGLES, MASK = Pack(types.float64), Pack(types.float32), Mask()
_VECTORS = {
    DOUBLES: ir.VectorType(ir.DoubleType(), WIDTH),
    SINGLES: ir.VectorType(ir.FloatType(), WIDTH),
    MASK: ir.VectorType(ir.IntType(1), WIDTH),
}
_PACK_OF = {types.float64: DOUBLES, types.float32: SINGLES}
_INDICES = ir.VectorType(ir.IntType(32), WIDTH)
_SUFFIX = {DOUBLES: "f64", SINGLES: "f32"}


@register_model(Pack)
class _PackModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTORS[type_])


@register_model(Mask)
class _MaskModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTORS[type_])


def _lane(number: int) -> Any:
    return ir.Constant(ir.IntType(32), number)


def _splat(builder: Any, pack: Pack, scalar: Any) -> Any:
    """Return one number, rounded to the precision of a pack, in all its lanes."""
    vector = _VECTORS[pack]
    if scalar.type != vector.element:
        scalar = builder.fptrunc(scalar, vector.element)
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, scalar, _lane(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_INDICES, [0] * WIDTH))


# ---------------------------------------------------------------- arithmetic


def _define(operation: Callable[..., Any], instruction: str) -> None:
    """Let the compiler know an operator between packs, and between a pack and one number."""

    @intrinsic
    def compute(context: Any, a: Any, b: Any) -> Any:
        pack = a if isinstance(a, Pack) else b

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            sides = [
                value if isinstance(kind, Pack) else _splat(builder, pack, value)
                for kind, value in zip(signature.args, arguments, strict=True)
            ]
            return getattr(builder, instruction)(*sides)

        wanted = [side if isinstance(side, Pack) else types.float64 for side in (a, b)]
        return pack(*wanted), generate

    @overload(operation, strict=False)
    def choose(a: Any, b: Any) -> Any:
        packs = [side for side in (a, b) if isinstance(side, Pack)]
        others = [side for side in (a, b) if not isinstance(side, Pack)]
        if packs and len(set(packs)) == 1 and all(isinstance(side, types.Float) for side in others):
            return lambda a, b: compute(a, b)
        return None


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
    (operator.iadd, "fadd"),
    (operator.isub, "fsub"),
    (operator.imul, "fmul"),
):
    _define(_operation, _instruction)


@intrinsic
def _sqrt(context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _VECTORS[value]
        name = f"llvm.sqrt.v{WIDTH}{_SUFFIX[value]}"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(vector, [vector]), name)
        return builder.call(function, arguments)

    return value(value), generate


@intrinsic
def _greater(context: Any, a: Any, b: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        other = arguments[1] if isinstance(b, Pack) else _splat(builder, a, arguments[1])
        return builder.fcmp_ordered(">", arguments[0], other)

    return MASK(a, b if isinstance(b, Pack) else types.float64), generate


@intrinsic
def _select(context: Any, mask: Any, a: Any, b: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        other = arguments[2] if isinstance(b, Pack) else _splat(builder, a, arguments[2])
        return builder.select(arguments[0], arguments[1], other)

    return a(MASK, a, b if isinstance(b, Pack) else types.float64), generate


@intrinsic
def _total(context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result = builder.extract_element(arguments[0], _lane(0))
        for lane in range(1, WIDTH):
            result = builder.fadd(result, builder.extract_element(arguments[0], _lane(lane)))
        return result

    return value.number(value), generate


def _cast(builder: Any, given: Pack, wanted: Pack, value: Any) -> Any:
    if given == wanted:
        return value
    convert = builder.fpext if wanted == DOUBLES else builder.fptrunc
    return convert(value, _VECTORS[wanted])


# ---------------------------------------------------------------- memory


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


@intrinsic
def _load(context: Any, array: Any, index: Any) -> Any:
    pack = _PACK_OF[array.dtype]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, array, *arguments)
        pointer = builder.bitcast(place, _VECTORS[pack].as_pointer())
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return pack(array, types.intp), generate


@intrinsic
def _store(context: Any, array: Any, index: Any, value: Any) -> Any:
    pack = _PACK_OF[array.dtype]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, array, *arguments[:2])
        pointer = builder.bitcast(place, _VECTORS[pack].as_pointer())
        builder.store(_cast(builder, value, pack, arguments[2]), pointer, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, value), generate


def _triple(pack: Pack) -> Any:
    """Return the compiler's type of three packs."""
    return types.containers.UniTuple(pack, 3)


def _indices_of(numbers: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)


_JOIN = [0, 1, 2, 3, 4, 5, 6, 7]
_LOW_PAIRS, _HIGH_PAIRS = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
_FIRST_PAIRS, _SECOND_PAIRS = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the first three numbers of eight rows of four, as three vectors of eight."""

    def shuffle(a: Any, b: Any, numbers: list[int]) -> Any:
        return builder.shuffle_vector(a, b, _indices_of(numbers))

    # Rows n and n + 4 side by side, since shuffles stay within 128 bits.
    joined = [shuffle(rows[n], rows[n + 4], _JOIN) for n in range(4)]
    low = [shuffle(joined[n], joined[n + 1], _LOW_PAIRS) for n in (0, 2)]
    high = [shuffle(joined[n], joined[n + 1], _HIGH_PAIRS) for n in (0, 2)]
    return [
        shuffle(low[0], low[1], _FIRST_PAIRS),
        shuffle(low[0], low[1], _SECOND_PAIRS),
        shuffle(high[0], high[1], _FIRST_PAIRS),
    ]


def _row(builder: Any, pack: Pack, base: Any, number: Any) -> Any:
    """Return the row of four numbers at a place counted in rows."""
    place = builder.gep(base, [builder.mul(number, ir.Constant(number.type, ROW))])
    pointer = builder.bitcast(place, ir.VectorType(_VECTORS[pack].element, ROW).as_pointer())
    return builder.load(pointer, align=pack.number.bitwidth // 8)


@intrinsic
def _gather_rows(context: Any, array: Any, indices: Any, at: Any) -> Any:
    pack = _PACK_OF[array.dtype]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base = context.make_array(array)(context, builder, arguments[0]).data
        place = _address(context, builder, indices, arguments[1], arguments[2])
        chosen = builder.load(builder.bitcast(place, _INDICES.as_pointer()), align=4)
        numbers = [builder.extract_element(chosen, _lane(lane)) for lane in range(WIDTH)]
        rows = [_row(builder, pack, base, builder.zext(number, ir.IntType(64))) for number in numbers]
        return cgutils.pack_array(builder, _transposed(builder, rows))

    return _triple(pack)(array, indices, types.intp), generate


@intrinsic
def _load_rows(context: Any, array: Any, first: Any) -> Any:
    pack = _PACK_OF[array.dtype]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base = context.make_array(array)(context, builder, arguments[0]).data
        numbers = [builder.add(arguments[1], ir.Constant(arguments[1].type, n)) for n in range(WIDTH)]
        rows = [_row(builder, pack, base, number) for number in numbers]
        return cgutils.pack_array(builder, _transposed(builder, rows))

    return _triple(pack)(array, types.intp), generate


@intrinsic
def _store_rows(context: Any, array: Any, first: Any, values: Any) -> Any:
    pack = _PACK_OF[array.dtype]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        parts = cgutils.unpack_tuple(builder, arguments[2], 3)
        x, y, z = (_cast(builder, values.dtype, pack, part) for part in parts)
        zero = ir.Constant(_VECTORS[pack], [0.0] * WIDTH)
        xy = [builder.shuffle_vector(x, y, _indices_of(order)) for order in (_EVEN_PAIRS, _ODD_PAIRS)]
        zw = [builder.shuffle_vector(z, zero, _indices_of(order)) for order in (_EVEN_PAIRS, _ODD_PAIRS)]
        base = context.make_array(array)(context, builder, arguments[0]).data
        begin = builder.mul(arguments[1], ir.Constant(arguments[1].type, ROW))
        for n, order in enumerate(_STORED_ROWS):
            # Rows 2n and 2n + 1 of the eight, side by side.
            half = builder.shuffle_vector(xy[n // 2], zw[n // 2], _indices_of(order))
            place = builder.gep(base, [builder.add(begin, ir.Constant(begin.type, WIDTH * n))])
            builder.store(
                half, builder.bitcast(place, half.type.as_pointer()), align=pack.number.bitwidth // 8
            )
        return context.get_dummy_value()

    return types.void(array, types.intp, values), generate


_EVEN_PAIRS, _ODD_PAIRS = [0, 8, 1, 9, 2, 10, 3, 11], [4, 12, 5, 13, 6, 14, 7, 15]
_STORED_ROWS = [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]] * 2


# ---------------------------------------------------------------- what kernels call


def load(array: Any, index: Any) -> Any:
    """Return eight numbers of a C-ordered (m,) array from `index` >= 0 on."""
    return array[index : index + WIDTH].copy()


def store(array: Any, index: Any, value: Any) -> None:
    """Write a pack to a C-ordered (m,) array from `index` >= 0 on, rounded to the precision of the array."""
    array[index : index + WIDTH] = value


def load_rows(array: Any, first: Any) -> Any:
    """Return the coordinates of eight points from `first` >= 0 on, as three packs; a point takes four numbers."""
    return tuple(array[ROW * first : ROW * (first + WIDTH)].reshape(WIDTH, ROW)[:, :3].T.copy())


def gather_rows(array: Any, indices: Any, at: Any) -> Any:
    """Return the coordinates of the points `indices[at]` to `indices[at + 7]` (int32), as three packs."""
    return tuple(array.reshape(-1, ROW)[indices[at : at + WIDTH], :3].T.copy())


def store_rows(array: Any, first: Any, values: Any) -> None:
    """Write three packs as the coordinates of eight points from `first` >= 0 on."""
    array[ROW * first : ROW * (first + WIDTH)].reshape(WIDTH, ROW)[:, :3] = np.stack(values, axis=1)


def sqrt(value: Any) -> Any:
    """Return the square root of every number of a pack."""
    return np.sqrt(value)


def at_least(value: Any, least: Any) -> Any:
    """Return every number of a pack, or `least` (a pack or one number) where that is greater."""
    return np.where(value > least, value, np.asarray(least, dtype=value.dtype))


def where_positive(sign: Any, value: Any, other: Any) -> Any:
    """Return every number of a pack where that of the pack `sign` is positive, that of the pack `other` elsewhere."""
    return np.where(sign > 0.0, value, other)


def total(value: Any) -> Any:
    """Return the sum of the numbers of a pack, from the first to the last."""
    result = value[0]
    for number in value[1:]:
        result = result + number
    return result


@overload(load, strict=False)
def _overload_load(array: Any, index: Any) -> Any:
    return lambda array, index: _load(array, index)


@overload(store, strict=False)
def _overload_store(array: Any, index: Any, value: Any) -> Any:
    return lambda array, index, value: _store(array, index, value)


@overload(load_rows, strict=False)
def _overload_load_rows(array: Any, first: Any) -> Any:
    return lambda array, first: _load_rows(array, first)


@overload(gather_rows, strict=False)
def _overload_gather_rows(array: Any, indices: Any, at: Any) -> Any:
    return lambda array, indices, at: _gather_rows(array, indices, at)


@overload(store_rows, strict=False)
def _overload_store_rows(array: Any, first: Any, values: Any) -> Any:
    return lambda array, first, values: _store_rows(array, first, values)


@overload(sqrt, strict=False)
def _overload_sqrt(value: Any) -> Any:
    return lambda value: _sqrt(value)


@overload(at_least, strict=False)
def _overload_at_least(value: Any, least: Any) -> Any:
    return lambda value, least: _select(_greater(value, least), value, least)


@overload(where_positive, strict=False)
def _overload_where_positive(sign: Any, value: Any, other: Any) -> Any:
    return lambda sign, value, other: _select(_greater(sign, 0.0), value, other)


@overload(total, strict=False)
def _overload_total(value: Any) -> Any:
    return lambda value: _total(value)
