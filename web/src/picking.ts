// Picking: what lies under a place on the screen, for many places at once; triangles are sorted into cells of the screen.
import { Matrix4, Raycaster, Vector2, Vector3, Vector4 } from "three";
import type { Bodies } from "./bodies";
import type { Stage } from "./stage";

/** A place on a body that moves with it. */
export interface Spot {
  body: string;
  corners: [number, number, number];
  weights: [number, number, number];
}

/** Side of a cell [px]. */
const CELL = 12;
/** A triangle over more cells than this is too near to be sorted, and looked at every time. */
const MOST_CELLS = 400;

interface Seen {
  body: string;
  triangles: ArrayLike<number>;
  /** For each vertex x and y on the screen [px] and the depth [m]; behind the eye it is not positive. */
  places: Float32Array;
}

export class Picker {
  private seen: Seen[] = [];
  private cells = new Map<number, number[]>();
  private large: number[] = [];
  private columns = 1;
  private frame = -2;
  private bodies: Bodies | null = null;
  private readonly camera = new Matrix4();
  private readonly raycaster = new Raycaster();

  constructor(private readonly stage: Stage) {}

  /** Look again, unless nothing has moved since. */
  private look(bodies: Bodies): void {
    const camera = this.stage.camera;
    camera.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    if (this.bodies === bodies && this.frame === bodies.frame && this.camera.equals(matrix)) return;
    this.bodies = bodies;
    this.frame = bodies.frame;
    this.camera.copy(matrix);
    this.cells.clear();
    this.large = [];
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    this.columns = Math.ceil(width / CELL);
    this.seen = bodies.surfaces().map(({ body, triangles, vertex, count }) => {
      const places = new Float32Array(3 * count);
      const place = new Vector3(), clip = new Vector4();
      for (let n = 0; n < count; n++) {
        vertex(n, place);
        clip.set(place.x, place.y, place.z, 1).applyMatrix4(matrix);
        places[3 * n] = ((clip.x / clip.w + 1) / 2) * width;
        places[3 * n + 1] = ((1 - clip.y / clip.w) / 2) * height;
        places[3 * n + 2] = clip.w;
      }
      return { body, triangles, places };
    });
    let first = 0;
    for (const { triangles, places } of this.seen) {
      for (let t = 0; t < triangles.length; t += 3) this.sort(first + t / 3, triangles, places, t, width, height);
      first += triangles.length / 3;
    }
  }

  private sort(number: number, triangles: ArrayLike<number>, places: Float32Array, t: number, width: number, height: number): void {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    if (!(places[a + 2] > 0 && places[b + 2] > 0 && places[c + 2] > 0)) return;
    const low = (axis: number): number => Math.max(0, Math.floor(Math.min(places[a + axis], places[b + axis], places[c + axis]) / CELL));
    const high = (axis: number, most: number): number => Math.min(Math.floor(most / CELL), Math.floor(Math.max(places[a + axis], places[b + axis], places[c + axis]) / CELL));
    const left = low(0), top = low(1), right = high(0, width), bottom = high(1, height);
    if (right < left || bottom < top) return;
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) {
      this.large.push(number);
      return;
    }
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = row * this.columns + column;
        const held = this.cells.get(cell);
        if (held) held.push(number);
        else this.cells.set(cell, [number]);
      }
    }
  }

  /** The nearest place on a surface under a place on the page [px], if nothing solid stands before it. */
  at(bodies: Bodies, clientX: number, clientY: number): Spot | null {
    this.look(bodies);
    const box = this.stage.host.getBoundingClientRect();
    const x = clientX - box.left, y = clientY - box.top;
    const found = this.cells.get(Math.floor(y / CELL) * this.columns + Math.floor(x / CELL)) ?? [];
    let best: Spot | null = null, bestDepth = Infinity;
    for (const list of [found, this.large]) {
      for (const number of list) {
        let n = number, layer = 0;
        while (n >= this.seen[layer].triangles.length / 3) n -= this.seen[layer++].triangles.length / 3;
        const { body, triangles, places } = this.seen[layer];
        const corners: [number, number, number] = [triangles[3 * n], triangles[3 * n + 1], triangles[3 * n + 2]];
        const hit = within(x, y, corners, places);
        if (hit && hit.depth < bestDepth) (best = { body, corners, weights: hit.weights }), (bestDepth = hit.depth);
      }
    }
    return best && this.isHidden(bodies, best, x, y) ? null : best;
  }

  /** Whether something solid stands before a place that is seen at a place of the view [px]. */
  private isHidden(bodies: Bodies, { body, corners, weights }: Spot, x: number, y: number): boolean {
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    this.raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.stage.camera);
    const place = bodies.placeOf(body, corners, weights);
    return place !== null && bodies.solidDistance(this.raycaster) < place.distanceTo(this.raycaster.ray.origin);
  }
}

/** Weights of the corners where a triangle is met, as the eye sees it, and how far away that is. */
function within(x: number, y: number, [a, b, c]: [number, number, number], places: Float32Array): { weights: [number, number, number]; depth: number } | null {
  const ax = places[3 * a] - x, ay = places[3 * a + 1] - y, bx = places[3 * b] - x, by = places[3 * b + 1] - y;
  const cx = places[3 * c] - x, cy = places[3 * c + 1] - y;
  const u = bx * cy - by * cx, v = cx * ay - cy * ax, w = ax * by - ay * bx;
  const whole = u + v + w;
  if (whole === 0 || u / whole < 0 || v / whole < 0 || w / whole < 0) return null;
  const p = u / whole / places[3 * a + 2], q = v / whole / places[3 * b + 2], r = w / whole / places[3 * c + 2];
  const sum = p + q + r;
  return { weights: [p / sum, q / sum, r / sum], depth: 1 / sum };
}
