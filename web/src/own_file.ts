// A recording that stands in the page's own file; its layout stands in supple/studio/film/replay_page.py.
import { readGeometry } from "./decode";
import type { PackedFrame, World } from "./decode";
import type { About } from "./recording";

const FULL = 32767;

interface Told extends About {
  steps: number;
  /** Bytes of each world's geometry. */
  worlds: number[];
  segments: { world: number; frames: number }[];
}

/** Frames with the same shapes. */
interface Segment {
  world: number;
  first: number;
  boxes: Float32Array;
  poses: Float32Array;
  solids: number;
  /** All points of all frames, four numbers each. */
  points: Int16Array;
  stride: number;
}

export class OwnFile {
  private readonly worlds: World[] = [];
  private readonly segments: Segment[] = [];

  constructor(readonly about: Told, data: ArrayBuffer, start: number) {
    let place = start;
    about.worlds.forEach((length, number) => {
      const world = readGeometry(data.slice(place, place + length));
      this.worlds.push({ ...world, number });
      place += length;
    });
    let first = 0;
    for (const { world, frames } of about.segments) {
      const { bodies, solids } = this.worlds[world].shapes;
      const count = bodies.reduce((sum, body) => sum + body.points, 0);
      const boxes = new Float32Array(data, place, 4 * bodies.length);
      place += boxes.byteLength;
      const poses = new Float32Array(data, place, 7 * solids.length * frames);
      place += poses.byteLength;
      const numbers = 3 * count * frames;
      const points = restored(new Uint8Array(data, place, 2 * numbers), frames, count, FULL / about.steps);
      place += Math.ceil((2 * numbers) / 4) * 4;
      this.segments.push({ world, first, boxes, poses, solids: solids.length, points, stride: 4 * count });
      first += frames;
    }
  }

  world(number: number): World {
    return this.worlds[number];
  }

  frame(index: number): PackedFrame {
    const segment = [...this.segments].reverse().find(({ first }) => first <= index)!;
    const n = index - segment.first;
    return {
      world: segment.world,
      frame: index,
      time: this.about.times[index],
      boxes: segment.boxes,
      poses: segment.poses.subarray(7 * segment.solids * n, 7 * segment.solids * (n + 1)),
      points: segment.points.subarray(segment.stride * n, segment.stride * (n + 1)),
    };
  }
}

/** Points from their second differences in time, whose low bytes come first, then the high ones: (frame, axis, point). */
function restored(bytes: Uint8Array, frames: number, count: number, scale: number): Int16Array {
  const points = new Int16Array(4 * count * frames);
  const half = bytes.length / 2, size = 3 * count;
  let before = new Int16Array(size), last = new Int16Array(size);
  for (let f = 0; f < frames; f++) {
    const now = new Int16Array(size);
    for (let n = 0, at = f * size; n < size; n++, at++) {
      // An Int16Array drops what overflows, as the differences were taken.
      now[n] = (bytes[at] | (bytes[half + at] << 8)) + (f > 1 ? 2 * last[n] - before[n] : f > 0 ? last[n] : 0);
    }
    for (let axis = 0; axis < 3; axis++) {
      for (let p = 0, w = 4 * count * f + axis; p < count; p++, w += 4) points[w] = Math.round(scale * now[axis * count + p]);
    }
    [before, last] = [last, now];
  }
  return points;
}

/** Read the recording in this page's file; null if there is none. */
export async function readOwnFile(): Promise<OwnFile | null> {
  const text = document.getElementById("recording")?.textContent;
  if (!text) return null;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = await new Response(stream).arrayBuffer();
  const length = new DataView(data).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as Told;
  return new OwnFile(told, data, Math.ceil((4 + length) / 8) * 8);
}
