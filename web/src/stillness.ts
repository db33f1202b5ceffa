// Tells whether anything has moved on the screen since it was drawn last.
import { Box3, Mesh, Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Stage } from "./stage";

/** What has moved less than this since it was drawn looks as if it stood still [pixels]. */
const STILL_PIXELS = 0.75;

export class Stillness {
  private drawn: number[] = [];

  constructor(private readonly stage: Stage) {}

  /** Whether something is elsewhere than when `drew` was called last. */
  hasMoved(bodies: Bodies): boolean {
    const now = this.places(bodies);
    return now.length !== this.drawn.length || now.some((place, n) => !(Math.abs(place - this.drawn[n]) < STILL_PIXELS));
  }

  /** A picture of everything as it is has been drawn. */
  drew(bodies: Bodies): void {
    this.drawn = this.places(bodies);
  }

  forget(): void {
    this.drawn = [];
  }

  /** Where points of all bodies and solids are on the screen, two numbers each [pixels]. */
  private places(bodies: Bodies): number[] {
    const { camera, host } = this.stage;
    const across = host.clientWidth / 2, down = host.clientHeight / 2;
    const found: number[] = [];
    const place = new Vector3();
    const add = (point: Vector3): void => {
      place.copy(point).project(camera);
      found.push(place.x * across, place.y * down);
    };
    for (const point of bodies.places()) add(point);
    for (const solid of bodies.solids) for (const corner of corners(solid)) add(corner);
    return found;
  }
}

function* corners(mesh: Mesh): Generator<Vector3> {
  const box: Box3 = mesh.geometry.boundingBox ?? (mesh.geometry.computeBoundingBox(), mesh.geometry.boundingBox!);
  const corner = new Vector3();
  for (let n = 0; n < 8; n++) {
    corner.set(n & 1 ? box.max.x : box.min.x, n & 2 ? box.max.y : box.min.y, n & 4 ? box.max.z : box.min.z);
    yield corner.applyMatrix4(mesh.matrixWorld);
  }
}
