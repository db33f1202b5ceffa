// The ghost hand: shows that cloth can be dragged, until somebody has done it.
import { Vector3 } from "three";
import type { Bodies } from "./bodies";
import { byId } from "./element";
import type { Stage } from "./stage";
import { SurfaceView } from "./surface";

/** Frames that a scene has run before a hand is offered. */
const FIRST_FRAME = 60;
const REMEMBERED = "supple-has-grabbed";

function remembered(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) !== null;
  } catch {
    return false; // a page that may not store anything
  }
}

export class GhostHand {
  private readonly host = byId("ghost");
  private isNeeded = !remembered();
  private spot: { body: string; vertex: number; world: number } | null = null;

  constructor(private readonly stage: Stage) {}

  /** Somebody has grabbed something: the ghost is not needed any more. */
  grabbed(): void {
    if (!this.isNeeded) return;
    this.isNeeded = false;
    this.host.hidden = true;
    try {
      localStorage.setItem(REMEMBERED, "1");
    } catch {
      // then it comes again with the next page
    }
  }

  /** Stand where cloth can be taken, while it moves and the hand is free. */
  update(bodies: Bodies | null, isWanted: boolean): void {
    if (!this.isNeeded) return;
    const place = isWanted && bodies && bodies.frame >= FIRST_FRAME ? this.place(bodies) : null;
    this.host.hidden = !place;
    if (place) this.host.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
  }

  /** Where on the page the ghost points at [px]. */
  private place(bodies: Bodies): { x: number; y: number } | null {
    if (this.spot?.world !== bodies.world.number) this.spot = this.choose(bodies);
    const view = this.spot && bodies.views.find((each) => each.shape.name === this.spot!.body);
    if (!view || !view.points.length) return null;
    return this.seen(view.vertex(this.spot!.vertex));
  }

  private seen(place: Vector3): { x: number; y: number } {
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    place.project(this.stage.camera);
    return { x: ((place.x + 1) / 2) * width, y: ((1 - place.y) / 2) * height };
  }

  /** The vertex of the largest cloth that is nearest to the eye among those low on it: a hem invites. */
  private choose(bodies: Bodies): { body: string; vertex: number; world: number } | null {
    const cloths = bodies.views.filter((view) => view instanceof SurfaceView && view.shape.kind === "cloth" && view.points.length > 0);
    if (!cloths.length) return null;
    const view = cloths.reduce((best, each) => (each.shape.points > best.shape.points ? each : best));
    const eye = this.stage.camera.position, place = new Vector3();
    let best = -1, least = Infinity;
    for (let n = 0; n < view.shape.points; n++) {
      view.vertex(n, place);
      const cost = place.distanceTo(eye) + (place.y - view.centre.y);
      if (cost < least) (least = cost), (best = n);
    }
    return { body: view.shape.name, vertex: best, world: bodies.world.number };
  }
}
