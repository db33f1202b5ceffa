// Recordings as the server offers them, or as this page's own file holds one: what there is, the shapes, and any frame by its number.
import { Vector3 } from "three";
import { readFrame, readGeometry } from "./decode";
import { entered } from "./door";
import type { Frame, PackedFrame, World } from "./decode";
import { surfaceNormals } from "./normals";
import { readOwnFile } from "./own_file";

export interface About {
  name: string;
  /** Frames per second. */
  rate: number;
  /** Of every frame [s]. */
  times: number[];
}

/** The recording that stands in this page itself, if one does. */
const ownFile = readOwnFile();

async function fetched(address: string): Promise<Response> {
  await entered;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status === 401 ? "This link is wrong, or it has been used. Open the link that was printed." : await answer.text());
  return answer;
}

/** Points held when these shapes were first shown, by body: recordings tell them beside the shapes. */
export const pinsOf = (world: World): Record<string, number[]> =>
  (world.shapes as { pins?: Record<string, number[]> }).pins ?? {};

/** Points that lie outermost in some frame [m]: the box around them may have corners where nothing ever is. */
export const outermostOf = (world: World): Vector3[] =>
  ((world.shapes as { outermost?: number[][] }).outermost ?? []).map(([x, y, z]) => new Vector3(x, y, z));

export const about = async (): Promise<About[]> => {
  const own = await ownFile;
  return own ? [own.about] : ((await fetched("about")).json() as Promise<About[]>);
};

function normalsOf(frame: PackedFrame, world: World): Int16Array {
  const normals = new Int16Array(frame.points.length);
  let first = 0;
  for (const { points, triangles } of world.shapes.bodies) {
    const last = first + 4 * points;
    if (triangles.count) {
      const sums = new Float32Array(3 * points);
      surfaceNormals(frame.points.subarray(first, last), world.indices(triangles), sums, normals.subarray(first, last));
    }
    first = last;
  }
  return normals;
}

export class Recording {
  private readonly worlds = new Map<number, Promise<World>>();

  constructor(private readonly number: number) {}

  async frame(index: number): Promise<Frame> {
    const own = await ownFile;
    const packed = own ? own.frame(index) : readFrame(await (await fetched(`frame/${this.number}/${index}`)).arrayBuffer());
    return { ...packed, normals: normalsOf(packed, await this.world(packed.world)) };
  }

  /** The shapes of a frame; a recording has several if something is cut or torn in it. */
  world(number: number): Promise<World> {
    let known = this.worlds.get(number);
    if (!known) {
      known = ownFile.then(async (own) =>
        own ? own.world(number) : readGeometry(await (await fetched(`world/${this.number}/${number}`)).arrayBuffer()),
      );
      this.worlds.set(number, known);
    }
    return known;
  }
}
