// Marks at places to look at: seen through everything, for a few seconds.
import { BufferGeometry, Float32BufferAttribute, Points, PointsMaterial } from "three";
import type { Stage } from "./stage";

const SHOWN_MS = 4000;
/** Of a mark on the screen. */
const PIXELS = 9;

export class Marks {
  private readonly points: Points<BufferGeometry, PointsMaterial>;
  private timer = 0;
  /** How many are to be seen. */
  count = 0;

  constructor(private readonly stage: Stage) {
    const material = new PointsMaterial({ color: "#ffd166", size: PIXELS, sizeAttenuation: false, depthTest: false, transparent: true });
    this.points = new Points(new BufferGeometry(), material);
    this.points.renderOrder = 10;
    this.points.visible = false;
    stage.scene.add(this.points);
  }

  /** Mark places, instead of those marked so far. */
  show(places: [number, number, number][]): void {
    clearTimeout(this.timer);
    this.count = places.length;
    this.points.visible = places.length > 0;
    this.stage.isDirty = true;
    if (!places.length) return;
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(places.flat(), 3));
    this.timer = window.setTimeout(() => this.show([]), SHOWN_MS);
  }
}
