// Reads the binary messages; their layout stands in supple/studio/connection/protocol.py.
import type { ArrayPlace, Geometry } from "./protocol";

export interface World {
  number: number;
  shapes: Geometry;
  floats(place: ArrayPlace): Float32Array;
  indices(place: ArrayPlace): Uint32Array;
}

/** A frame as it was sent. */
export interface PackedFrame {
  world: number;
  frame: number;
  time: number;
  /** For each body centre x, y, z and half extent. */
  boxes: Float32Array;
  /** For each solid position x, y, z and quaternion x, y, z, w. */
  poses: Float32Array;
  /** For each point of each body x, y, z, strain. */
  points: Int16Array;
}

/** A frame that can be drawn. */
export interface Frame extends PackedFrame {
  /** For each point of each body x, y, z in units of 1/32767, and 0; of surfaces only. */
  normals: Int16Array;
}

export const kindOf = (buffer: ArrayBuffer): number => new DataView(buffer).getUint32(0, true);

export function readGeometry(buffer: ArrayBuffer): World {
  const view = new DataView(buffer);
  const length = view.getUint32(8, true);
  const shapes = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, length))) as Geometry;
  const start = Math.ceil((16 + length) / 8) * 8;
  return {
    number: view.getUint32(4, true),
    shapes,
    floats: (place) => new Float32Array(buffer, start + place.offset, place.count),
    indices: (place) => new Uint32Array(buffer, start + place.offset, place.count),
  };
}

const HEAD = 32;

export function readFrame(buffer: ArrayBuffer): PackedFrame {
  const view = new DataView(buffer);
  const bodies = view.getUint32(12, true);
  const solids = view.getUint32(24, true);
  const points = Math.ceil((HEAD + 16 * bodies + 28 * solids) / 8) * 8;
  return {
    world: view.getUint32(4, true),
    frame: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    boxes: new Float32Array(buffer, HEAD, 4 * bodies),
    poses: new Float32Array(buffer, HEAD + 16 * bodies, 7 * solids),
    points: new Int16Array(buffer, points),
  };
}
