// The tape measure: the shortest way along cloth between two places, measured anew as the cloth moves.
import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Vector3 } from "three";
import { byId } from "./element";
import type { ClientMessage, Tape as Measured } from "./protocol";
import type { Stage } from "./stage";

/** Time between two measurements of cloth that moves [ms]. */
const AGAIN_MS = 300;

export class Tape {
  private readonly line: Line<BufferGeometry, LineBasicMaterial>;
  private readonly label = byId("tape");
  private laid: { world: number; body: string; vertices: number[] } | null = null;
  private asked = 0;
  private isWaiting = false;
  private middle: Vector3 | null = null;
  /** What it measured last [m]; 0 while there is none. */
  length = 0;

  constructor(private readonly stage: Stage, private readonly send: (message: ClientMessage) => void) {
    const material = new LineBasicMaterial({ color: "#ffd166", depthTest: false, transparent: true });
    this.line = new Line(new BufferGeometry(), material);
    this.line.renderOrder = 9;
    this.line.frustumCulled = false;
    this.line.visible = false;
    stage.scene.add(this.line);
  }

  /** Lay it over some vertices of a body. */
  lay(world: number, body: string, vertices: number[]): void {
    this.laid = { world, body, vertices };
    if (!this.isWaiting) this.ask(performance.now());
  }

  private ask(now: number): void {
    this.asked = now;
    this.isWaiting = true;
    this.send({ type: "measure", ...this.laid! });
  }

  measured({ world, length, points }: Measured): void {
    this.isWaiting = false;
    if (!this.laid || this.laid.world !== world) return;
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
    this.line.visible = this.stage.isDirty = true;
    this.length = length;
    this.middle = new Vector3(...points[Math.floor(points.length / 2)]);
    this.label.textContent = length < 1 ? `${(100 * length).toFixed(1)} cm` : `${length.toFixed(3)} m`;
    this.label.hidden = false;
  }

  /** A measurement was refused, or its world is gone. */
  refused(): void {
    this.isWaiting = false;
    this.remove();
  }

  /** Put it away; tells whether there was one. */
  remove(): boolean {
    const wasLaid = this.laid !== null;
    this.laid = this.middle = null;
    this.isWaiting = false;
    this.length = 0;
    this.line.visible = false;
    this.label.hidden = this.stage.isDirty = true;
    return wasLaid;
  }

  /** Measure again where cloth has moved, and keep the figure beside the tape. */
  update(world: number, hasMoved: boolean): void {
    if (!this.laid) return;
    if (this.laid.world !== world) return void this.remove();
    const now = performance.now();
    if (hasMoved && !this.isWaiting && now - this.asked > AGAIN_MS) this.ask(now);
    if (!this.middle) return;
    const seen = this.middle.clone().project(this.stage.camera);
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    this.label.style.transform = `translate(${((seen.x + 1) / 2) * width + 10}px, ${((1 - seen.y) / 2) * height - 12}px)`;
  }
}
