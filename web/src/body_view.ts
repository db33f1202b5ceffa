// What all drawn bodies have in common: packed points, picking, the nearest vertex.
import { Group, LineSegments, Mesh, Raycaster, Vector3 } from "three";
import type { Material } from "three";
import type { Fabrics } from "./fabric";
import type { BodyShape } from "./protocol";

/** Packed coordinates go up to this. */
export const FULL = 32767;

export interface Hit {
  body: string;
  isSolid: boolean;
  point: Vector3;
  /** Nearest first. */
  vertices: number[];
  weights: number[];
}

export interface Look {
  fabrics: Fabrics;
  isLow: boolean;
}

/** Uniforms of all bodies of a world. */
export interface Shared {
  strainView: { value: number };
  strainScale: { value: number };
}

export abstract class BodyView {
  readonly group = new Group();
  readonly centre = new Vector3();
  half = 1;
  points: Int16Array = new Int16Array(0);
  normals: Int16Array = new Int16Array(0);

  constructor(readonly shape: BodyShape) {}

  update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    this.points = points;
    this.normals = normals;
    this.centre.set(x, y, z);
    this.half = half;
  }

  vertex(index: number, into = new Vector3()): Vector3 {
    const f = this.half / FULL;
    return into
      .set(this.points[4 * index] * f, this.points[4 * index + 1] * f, this.points[4 * index + 2] * f)
      .add(this.centre);
  }

  /** Unit normal of a surface at a vertex. */
  normal(index: number): Vector3 {
    const [x, y, z] = this.normals.subarray(4 * index, 4 * index + 3);
    return new Vector3(x, y, z).divideScalar(FULL);
  }

  abstract pick(raycaster: Raycaster, nearness: number): { distance: number; hit: Hit } | null;
  abstract setWireframe(isOn: boolean): void;

  /** Draw fewer triangles where there are very many, or all of them. */
  setCoarse(_isOn: boolean): void {}

  nearest(place: Vector3): { vertex: number; distance: number } {
    let vertex = -1, best = Infinity;
    const f = FULL / this.half;
    const x = (place.x - this.centre.x) * f, y = (place.y - this.centre.y) * f, z = (place.z - this.centre.z) * f;
    const points = this.points;
    for (let n = 0, p = 0; p < points.length; n++, p += 4) {
      const dx = points[p] - x, dy = points[p + 1] - y, dz = points[p + 2] - z;
      const d = dx * dx + dy * dy + dz * dz;
      if (d < best) (best = d), (vertex = n);
    }
    return { vertex, distance: Math.sqrt(best) / f };
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh || object instanceof LineSegments) {
        object.geometry.dispose();
        (object.material as Material).dispose();
      }
    });
  }
}
