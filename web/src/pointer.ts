// Pointer input, mouse and fingers: on a body they grab, beside it they look around.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Bodies, Hit } from "./bodies";
import type { ClientMessage } from "./protocol";
import type { ToolName } from "./palette";
import type { Stage } from "./stage";
import { DRAWING } from "./strokes";
import type { Strokes } from "./strokes";

interface Grip {
  hand: number;
  plane: Plane;
  hit: Hit;
  last: Pointing;
}

/** Where a hand points at, and when. */
type Pointing = Pick<PointerEvent, "clientX" | "clientY" | "timeStamp" | "pointerId" | "pointerType">;

/** The pointer that keys lead. */
const KEYS = -1;
/** Time between two looks at what lies under a pointer that does nothing [ms]. */
const HOVER_MS = 60;

/** Thin things are met within so many pixels. */
const NEAR_PIXELS = 14;
/** Least time between two moves that are sent before the page is drawn [ms]. */
const EARLY_MS = 4;

export class PointerInput {
  private readonly grips = new Map<number, Grip>();
  private readonly raycaster = new Raycaster();
  readonly place = new Vector3();
  private hovered = 0;
  /** Told of what a free mouse is over. */
  onHover: (hit: Hit | null) => void = () => undefined;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: () => Bodies | null,
    private readonly send: (message: ClientMessage) => void,
    private readonly grabbed: (hit: Hit | null) => void,
    private readonly tool: () => ToolName,
    private readonly strokes: Strokes,
  ) {
    const host = stage.host;
    // In the capture phase, so that the camera does not start to turn before we know what was hit.
    host.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    host.addEventListener("pointermove", (event) => this.move(event));
    // Browsers hold `pointermove` back until they draw; this one comes as soon as the hand has moved.
    host.addEventListener("pointerrawupdate", (event) => this.moveEarly(event as PointerEvent));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      host.addEventListener(name, (event) => this.up(event));
    }
    host.addEventListener("pointerleave", () => this.shine(null));
    host.addEventListener("dblclick", (event) => this.pin(event));
    host.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
    window.addEventListener("blur", () => this.releaseAll());
  }

  private aim(event: { clientX: number; clientY: number }): void {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.raycaster.setFromCamera(new Vector2(x, y), this.stage.camera);
  }

  /** Let what a free mouse is over shine, if the tool could take it. */
  private hover(event: PointerEvent): void {
    if (event.pointerType !== "mouse" || event.buttons || event.timeStamp - this.hovered < HOVER_MS) return;
    this.hovered = event.timeStamp;
    this.shine(DRAWING.has(this.tool()) ? null : this.pick(event));
  }

  private shine(hit: Hit | null): void {
    this.stage.host.dataset.hover = hit?.body ?? "";
    this.onHover(hit);
    if (this.bodies()?.light(hit?.body ?? "")) this.stage.isDirty = true;
  }

  // ---------------------------------------------------------------- keys

  get isLed(): boolean {
    return this.grips.has(KEYS);
  }

  takeAt(clientX: number, clientY: number): boolean {
    const event = { clientX, clientY, timeStamp: performance.now(), pointerId: KEYS, pointerType: "keys" };
    const hit = this.pick(event);
    if (hit) this.hold(hit, event);
    return hit !== null;
  }

  leadTo(clientX: number, clientY: number): void {
    const grip = this.grips.get(KEYS)!;
    grip.last = { clientX, clientY, timeStamp: performance.now(), pointerId: KEYS, pointerType: "keys" };
    this.follow(grip, grip.last.timeStamp / 1000);
  }

  push(direction: number): void {
    const grip = this.grips.get(KEYS)!;
    grip.plane.constant -= direction * 0.03 * this.stage.camera.position.distanceTo(this.stage.controls.target);
    this.follow(grip, performance.now() / 1000);
  }

  letGo(): void {
    this.release(KEYS, performance.now() / 1000);
  }

  // ---------------------------------------------------------------- pointers

  private pick(event: { clientX: number; clientY: number }): Hit | null {
    this.aim(event);
    const camera = this.stage.camera;
    const nearness = (NEAR_PIXELS * 2 * Math.tan((camera.fov * Math.PI) / 360)) / this.stage.host.clientHeight;
    return this.bodies()?.pick(this.raycaster, nearness) ?? null;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || event.altKey || !event.isTrusted) return;
    if (event.pointerType === "touch" && (this.grips.size > 0 || this.strokes.isDrawing)) return this.lookInstead();
    if (DRAWING.has(this.tool())) {
      this.take(event);
      return this.strokes.begin(event);
    }
    const hit = this.pick(event);
    if (!hit) return;
    this.take(event);
    if (this.tool() === "pin") return this.togglePin(hit);
    this.hold(hit, event);
  }

  /** Take hold of something where it was hit. */
  private hold(hit: Hit, event: Pointing): void {
    const normal = this.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    const hand = [0, 1, 2, 3, 4, 5, 6, 7].find((n) => ![...this.grips.values()].some((grip) => grip.hand === n)) ?? 7;
    this.grips.set(event.pointerId, { hand, plane, hit, last: event });
    const { body, vertices, weights, point } = hit;
    this.place.copy(point);
    this.send({ type: "grab", hand, body, vertices, weights, target: point.toArray(), time: event.timeStamp / 1000 });
    this.grabbed(hit);
  }

  /** This pointer is ours, not the camera's. */
  private take(event: PointerEvent): void {
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.host.focus({ preventScroll: true });
    this.stage.controls.enabled = false;
    this.stage.host.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    this.strokes.move(event);
    const grip = this.grips.get(event.pointerId);
    if (!grip) return this.hover(event);
    const isTold = grip.last.clientX === event.clientX && grip.last.clientY === event.clientY;
    if (isTold || event.timeStamp < grip.last.timeStamp) return;
    grip.last = event;
    this.follow(grip, event.timeStamp / 1000);
  }

  private moveEarly(event: PointerEvent): void {
    const grip = this.grips.get(event.pointerId);
    // A mouse may speak a thousand times a second; what is left out comes with the next `pointermove`.
    if (grip && event.timeStamp - grip.last.timeStamp >= EARLY_MS) this.move(event);
  }

  private follow(grip: Grip, time: number): void {
    this.aim(grip.last);
    const target = this.raycaster.ray.intersectPlane(grip.plane, new Vector3());
    if (!target) return;
    this.place.copy(target);
    this.send({ type: "move", hand: grip.hand, target: target.toArray(), time });
  }

  private up(event: PointerEvent): void {
    if (event.type === "pointercancel") this.strokes.cancel();
    this.strokes.end(event.pointerId);
    this.release(event.pointerId, event.timeStamp / 1000);
    if (this.grips.size === 0 && !this.strokes.isDrawing) this.stage.controls.enabled = true;
  }

  private release(pointer: number, time: number): void {
    const grip = this.grips.get(pointer);
    if (!grip) return;
    this.grips.delete(pointer);
    this.send({ type: "release", hand: grip.hand, time });
    if (pointer !== KEYS && this.stage.host.hasPointerCapture(pointer)) this.stage.host.releasePointerCapture(pointer);
    if (this.grips.size === 0) {
      this.stage.controls.enabled = true;
      this.grabbed(null);
    }
  }

  releaseAll(): void {
    for (const pointer of [...this.grips.keys()]) this.release(pointer, performance.now() / 1000);
  }

  /** A second finger: let go, and give the first finger to the camera, which gets the second by itself. */
  private lookInstead(): void {
    const drawing = this.strokes.event;
    const fingers = [...[...this.grips.values()].map((grip) => grip.last), ...(drawing ? [drawing] : [])];
    this.strokes.cancel();
    this.releaseAll();
    this.stage.controls.enabled = true;
    for (const finger of fingers) {
      const { pointerId, clientX, clientY, pointerType } = finger;
      const again = new PointerEvent("pointerdown", { pointerId, clientX, clientY, pointerType, bubbles: true });
      this.stage.renderer.domElement.dispatchEvent(again);
    }
  }

  private wheel(event: WheelEvent): void {
    if (this.grips.size === 0) return;
    // While something is held, the wheel pushes it away or pulls it nearer.
    event.preventDefault();
    event.stopImmediatePropagation();
    const reach = this.stage.camera.position.distanceTo(this.stage.controls.target);
    for (const grip of this.grips.values()) {
      grip.plane.constant += Math.sign(event.deltaY) * 0.03 * reach;
      this.follow(grip, event.timeStamp / 1000);
    }
  }

  private pin(event: MouseEvent): void {
    const hit = this.tool() === "grab" ? this.pick(event) : null;
    if (hit) this.togglePin(hit);
  }

  private togglePin(hit: Hit): void {
    if (hit.vertices.length) this.send({ type: "toggle_pin", body: hit.body, vertices: hit.vertices });
  }
}
