// The wind as an arrow that hands can turn: its direction is that of the wind, its length the speed.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, Plane, Quaternion, Raycaster, SphereGeometry, Vector2, Vector3 } from "three";
import type { Geometry, Parameter, Value } from "./protocol";
import type { Stage } from "./stage";

/** The one parameter that the page knows by name. */
export const WIND = "wind.velocity";
/** Speed at which the arrow is as long as the scene's radius [m/s]. */
const LONG = 12;
/** Least time between two changes that are sent [ms]. */
const PAUSE_MS = 30;
const UP = new Vector3(0, 1, 0);

/** Length over the scene's radius of an arrow for a speed [m/s]: even at first, less and less for storms. */
export function arrowLength(speed: number): number {
  return 0.15 + (0.85 * speed) / (LONG + 0.5 * speed);
}

/** The speed [m/s] of an arrow of a length over the scene's radius; the other way round. */
export function arrowSpeed(length: number, fastest: number): number {
  const part = Math.max(0, length - 0.15);
  const rest = 0.85 - 0.5 * part;
  return rest <= 0 ? fastest : Math.min(fastest, (LONG * part) / rest);
}

export class WindArrow {
  readonly group = new Group();
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  private readonly handle: Mesh;
  private readonly raycaster = new Raycaster();
  private readonly velocity = new Vector3();
  private readonly plane = new Plane();
  private radius = 1;
  private fastest = 60;
  private pointer: number | null = null;
  private held = false;
  private lastSent = 0;

  constructor(private readonly stage: Stage, private readonly change: (name: string, value: Value) => void) {
    const material = new MeshStandardMaterial({ color: "#7fd0e6", roughness: 0.35, transparent: true, opacity: 0.85 });
    this.shaft = new Mesh(new CylinderGeometry(0.011, 0.011, 1, 16).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(0.036, 0.14, 24).translate(0, 0.08, 0), material);
    this.handle = new Mesh(new SphereGeometry(0.09, 12, 8), new MeshBasicMaterial({ visible: false }));
    this.group.add(this.shaft, this.head, this.handle, new Mesh(new SphereGeometry(0.02, 16, 12), material));
    this.group.visible = false;
    const host = stage.host;
    // Before other hands: what is on the arrow is not on the cloth behind it.
    host.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    host.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) host.addEventListener(name, (event) => this.up(event));
  }

  /** Stand near the ground, before the scene and on its left, where little is in the way. */
  setWorld(shapes: Geometry): void {
    this.radius = shapes.radius;
    this.group.position.set(...shapes.centre);
    this.group.position.x -= 0.35 * shapes.size[0];
    this.group.position.y = shapes.floor + 0.2 * this.radius;
    this.group.position.z += 0.4 * shapes.size[2] + 0.15 * this.radius;
    this.group.scale.setScalar(this.radius);
    this.show();
  }

  setParameters(parameters: Parameter[]): void {
    const wind = parameters.find((parameter) => parameter.name === WIND);
    if (this.isHeld) return;
    this.velocity.fromArray(Array.isArray(wind?.value) ? (wind.value as number[]) : [0, 0, 0]);
    this.fastest = wind?.high ?? 60;
    this.show();
  }

  /** Tip of the arrow in the world, for whoever wants to take it. */
  get tip(): Vector3 {
    return this.handle.getWorldPosition(new Vector3());
  }

  get isHeld(): boolean {
    return this.held || this.pointer !== null;
  }

  private show(): void {
    const speed = this.velocity.length();
    this.group.visible = speed > 0;
    if (speed === 0) return;
    const length = arrowLength(speed);
    this.group.quaternion.setFromUnitVectors(UP, this.velocity.clone().divideScalar(speed));
    this.shaft.scale.set(1, length - 0.12, 1);
    this.head.position.set(0, length - 0.14, 0);
    this.handle.position.set(0, length - 0.06, 0);
    this.group.updateMatrixWorld(true);
    this.stage.isDirty = true;
  }

  private tell(isLast: boolean): void {
    const now = performance.now();
    this.show();
    if (!isLast && now - this.lastSent < PAUSE_MS) return;
    this.lastSent = now;
    this.change(WIND, this.velocity.toArray().map((part) => Math.round(1000 * part) / 1000) as Value);
  }

  // ---------------------------------------------------------------- mouse and fingers

  private aim(event: PointerEvent): void {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const place = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(place, this.stage.camera);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.pointer !== null || !this.group.visible) return;
    this.aim(event);
    if (!this.isMet(this.raycaster)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.pointer = event.pointerId;
    this.stage.controls.enabled = false;
    this.stage.host.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.aim(event);
    // Over the ground the tip goes where the pointer is; with the shift key it goes up and down as well.
    const normal = event.shiftKey ? this.stage.camera.getWorldDirection(new Vector3()) : UP;
    this.plane.setFromNormalAndCoplanarPoint(normal, this.group.position);
    const place = this.raycaster.ray.intersectPlane(this.plane, new Vector3());
    if (!place) return;
    const arm = place.sub(this.group.position);
    const length = arm.length() / this.radius;
    if (length < 0.05) return;
    this.velocity.copy(arm).setLength(Math.max(0.1, arrowSpeed(Math.min(length + 0.06, 1.6), this.fastest)));
    this.tell(false);
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.stage.controls.enabled = true;
    this.tell(true);
  }

  // ---------------------------------------------------------------- controllers

  /** Whether a ray meets the arrow. */
  isMet(raycaster: Raycaster): boolean {
    return this.group.visible && raycaster.intersectObjects([this.handle, this.head, this.shaft], false).length > 0;
  }

  /** A controller takes the arrow if it points at it or holds its tip. */
  take(raycaster: Raycaster, place: Vector3, reach: number): boolean {
    if (this.isHeld || !(this.isMet(raycaster) || (this.group.visible && this.tip.distanceTo(place) < reach))) return false;
    this.held = true;
    return true;
  }

  /** The wind blows where the controller that holds the arrow points. */
  point(turn: Quaternion): void {
    if (!this.held) return;
    this.velocity.copy(new Vector3(0, 0, -1).applyQuaternion(turn).setLength(this.velocity.length()));
    this.tell(false);
  }

  letGo(): void {
    if (!this.held) return;
    this.held = false;
    this.tell(true);
  }
}
