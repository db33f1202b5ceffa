// Headsets: both hands grab with squeeze, trigger or pinch; a ray points at the panel.
import {
  AdditiveBlending, BufferGeometry, CanvasTexture, Group, Line, LineBasicMaterial, Matrix4, Mesh, MeshBasicMaterial,
  PlaneGeometry, Quaternion, Raycaster, SphereGeometry, SRGBColorSpace, Vector3,
} from "three";
import type { XRTargetRaySpace } from "three";
import type { Bodies } from "./bodies";
import { fromSlider, short, toSlider } from "./panel";
import type { Action, ClientMessage, Parameter, Touch, Value } from "./protocol";
import type { Stage } from "./stage";
import { Vibration } from "./vibration";
import type { WindArrow } from "./wind";

/** A hand takes what is within this distance [m]; farther things it takes along its ray. */
const REACH = 0.12;
/** Mouse and fingers use the hands before this one. */
const FIRST_HAND = 8;
const STEPS = 1000;

interface Doing {
  /** What the buttons at the top of the board do. */
  buttons: Record<string, () => void>;
  set: (name: string, value: Value) => void;
  /** Carry out an action that the server declares. */
  act: (name: string) => void;
}

class XrHand {
  readonly ray: XRTargetRaySpace;
  private readonly beam: Line;
  private readonly tip: Mesh;
  private holding: { turn: Quaternion; offset: Vector3 } | null = null;
  private isOnPanel = false;
  private isOnWind = false;
  private lastMoved = 0;
  isPressed = false;

  constructor(
    private readonly stage: Stage,
    readonly index: number,
    private readonly bodies: () => Bodies | null,
    private readonly send: (message: ClientMessage) => void,
    private readonly panel: Board,
    private readonly wind: WindArrow | null,
  ) {
    this.ray = stage.renderer.xr.getController(index);
    const line = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]);
    this.beam = new Line(line, new LineBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45, blending: AdditiveBlending }));
    this.tip = new Mesh(new SphereGeometry(0.012, 12, 8), new MeshBasicMaterial({ color: "#f2b33d" }));
    this.ray.add(this.beam, this.tip);
    stage.rig.add(this.ray);
    for (const name of ["squeezestart", "selectstart"] as const) this.ray.addEventListener(name, () => this.press());
    for (const name of ["squeezeend", "selectend", "disconnected"] as const) this.ray.addEventListener(name, () => this.release());
  }

  private pose(): { place: Vector3; turn: Quaternion; forward: Vector3 } {
    const matrix: Matrix4 = this.ray.matrixWorld;
    const place = new Vector3(), turn = new Quaternion(), scale = new Vector3();
    matrix.decompose(place, turn, scale);
    return { place, turn, forward: new Vector3(0, 0, -1).applyQuaternion(turn) };
  }

  raycaster(): Raycaster {
    const { place, forward } = this.pose();
    return new Raycaster(place, forward, 0, 100);
  }

  private press(): void {
    this.isPressed = true;
    if (this.holding) return;
    if (this.panel.point(this.raycaster(), true)) {
      this.isOnPanel = true;
      return;
    }
    const { place, turn } = this.pose();
    const reach = REACH * this.stage.rig.scale.x;
    if (this.wind?.take(this.raycaster(), place, reach)) {
      this.isOnWind = true;
      return;
    }
    const near = this.bodies()?.touch(place, reach) ?? this.bodies()?.enclosing(place) ?? null;
    const hit = near ?? this.bodies()?.pick(this.raycaster(), 0.02) ?? null;
    if (!hit) return;
    // What is near comes into the hand; what is far stays as far along the ray.
    const offset = near ? new Vector3() : hit.point.clone().sub(place).applyQuaternion(turn.clone().invert());
    this.holding = { turn, offset };
    const { body, vertices, weights } = hit;
    const target = (near ? place : hit.point).toArray();
    this.lastMoved = performance.now() / 1000;
    this.send({ type: "grab", hand: FIRST_HAND + this.index, body, vertices, weights, target, time: this.lastMoved });
    this.send({ type: "feel", hand: FIRST_HAND + this.index, value: true });
  }

  private release(): void {
    this.isPressed = false;
    this.isOnPanel = false;
    if (this.isOnWind) this.wind?.letGo();
    this.isOnWind = false;
    if (!this.holding) return;
    this.holding = null;
    // The pose is as old as the last frame; so is what it says about the speed of the hand.
    this.send({ type: "release", hand: FIRST_HAND + this.index, time: this.lastMoved });
  }

  /** Take what is held to where the hand is now. */
  private follow(): void {
    if (!this.holding) return;
    this.lastMoved = performance.now() / 1000;
    const { place, turn } = this.pose();
    const { offset, turn: start } = this.holding;
    const target = offset.clone().applyQuaternion(turn).add(place);
    const turned = turn.clone().multiply(start.clone().invert()).normalize();
    this.send({
      type: "move", hand: FIRST_HAND + this.index, target: target.toArray(),
      turn: [turned.x, turned.y, turned.z, turned.w], time: this.lastMoved,
    });
  }

  update(): void {
    this.follow();
    if (this.isOnWind) this.wind?.point(this.pose().turn);
    const distance = this.panel.point(this.raycaster(), this.isOnPanel);
    this.beam.scale.z = distance ? distance / this.stage.rig.scale.x : this.holding ? Math.max(0.05, this.holding.offset.length()) : 1.5;
  }
}

interface ParameterRow {
  parameter: Parameter;
  /** Which number of a vector, -1 for any other parameter. */
  axis: number;
}

type Row = ParameterRow | { action: Action };

/** Rows on one page of the board. */
const ROWS = 9;

/** The largest number of a vector that the board can set: its bar goes as far to either side. */
function reach(parameter: Parameter): number {
  return parameter.high ?? 20;
}

/** The panel in the room: the declared parameters and, after them, actions, drawn on a board. */
class Board {
  readonly mesh: Mesh;
  private readonly canvas = document.createElement("canvas");
  private readonly texture: CanvasTexture;
  private parameters: Parameter[] = [];
  private actions: Action[] = [];
  private readonly answers = new Map<string, string>();
  private page = 0;
  private wasPressed = false;

  constructor(private readonly doing: Doing) {
    this.canvas.width = 640;
    this.canvas.height = 800;
    this.texture = new CanvasTexture(this.canvas);
    this.texture.colorSpace = SRGBColorSpace;
    this.mesh = new Mesh(new PlaneGeometry(0.56, 0.7), new MeshBasicMaterial({ map: this.texture, toneMapped: false }));
    this.mesh.visible = false;
  }

  /** What this page of the board lists: a vector takes three rows, one for each of its numbers. */
  private rows(): Row[] {
    const all: Row[] = this.parameters.flatMap((parameter): Row[] =>
      parameter.kind === "vector" ? [0, 1, 2].map((axis) => ({ parameter, axis })) : [{ parameter, axis: -1 }],
    );
    all.push(...this.actions.map((action) => ({ action })));
    this.page = Math.max(0, Math.min(this.page, Math.ceil(all.length / ROWS) - 1));
    return all.slice(ROWS * this.page, ROWS * (this.page + 1));
  }

  show(parameters: Parameter[]): void {
    this.parameters = parameters;
    this.draw();
  }

  /** List other actions; what came of earlier ones is forgotten. */
  offer(actions: Action[]): void {
    this.actions = actions;
    this.answers.clear();
    this.draw();
  }

  /** Write what came of an action beside its name. */
  answer(name: string, text: string): void {
    this.answers.set(name, text);
    this.draw();
  }

  /** Names of what is listed now, a number of a vector as "name.x". */
  get listed(): string[] {
    return this.rows().map((row) =>
      "action" in row ? row.action.name : row.axis < 0 ? row.parameter.name : `${row.parameter.name}.${"xyz"[row.axis]}`,
    );
  }

  /** What is written below the action called so. */
  answerTo(name: string): string {
    return this.answers.get(name) ?? "";
  }

  private draw(): void {
    const context = this.canvas.getContext("2d")!;
    context.fillStyle = "#161c28";
    context.fillRect(0, 0, 640, 800);
    context.textBaseline = "middle";
    context.font = "600 24px system-ui, sans-serif";
    const names = [...Object.keys(this.doing.buttons), "More"];
    names.forEach((name, n) => {
      context.fillStyle = "#2c3850";
      context.fillRect(12 + (n * 616) / names.length, 12, 616 / names.length - 8, 60);
      context.fillStyle = "#e8edf5";
      context.font = "20px system-ui, sans-serif";
      context.fillText(name, 24 + (n * 616) / names.length, 42);
    });
    this.rows().forEach((row, n) => {
      const top = 92 + 78 * n;
      context.font = "20px system-ui, sans-serif";
      if ("action" in row) return this.drawAction(context, row.action, top);
      const { parameter, axis } = row;
      context.fillStyle = "#9fb0c8";
      context.fillText(`${parameter.group} · ${parameter.label}${axis < 0 ? "" : `, ${"xyz"[axis]}`}`, 20, top + 16);
      context.fillStyle = "#ffffff";
      const value = axis < 0 ? parameter.value : (parameter.value as number[])[axis];
      const text = typeof value === "number" ? `${short(value)} ${parameter.unit}` : String(value);
      context.fillText(text, 430, top + 16);
      context.fillStyle = "#2c3850";
      context.fillRect(20, top + 36, 600, 22);
      if (typeof value === "number") {
        context.fillStyle = "#5aa9e6";
        context.fillRect(20, top + 36, 600 * this.part(parameter, value), 22);
      }
    });
    this.texture.needsUpdate = true;
  }

  private drawAction(context: CanvasRenderingContext2D, action: Action, top: number): void {
    context.fillStyle = "#2c3850";
    context.fillRect(20, top, 600, 40);
    context.fillStyle = "#e8edf5";
    context.fillText(`${action.group} · ${action.label}`, 32, top + 20);
    context.fillStyle = "#9fb0c8";
    context.font = "17px system-ui, sans-serif";
    context.fillText(this.answerTo(action.name), 20, top + 56, 600);
  }

  private part(parameter: Parameter, value: number): number {
    if (parameter.kind === "vector") return Math.min(1, Math.max(0, 0.5 + value / (2 * reach(parameter))));
    if (parameter.kind === "integer") return (value - parameter.low!) / (parameter.high! - parameter.low!);
    return toSlider(value, parameter) / STEPS;
  }

  /** Point at the board, pressing or not; returns how far it is, or 0 if the ray misses it. */
  point(raycaster: Raycaster, isPressed: boolean): number {
    if (!this.mesh.visible) return 0;
    const [found] = raycaster.intersectObject(this.mesh, false);
    if (!found?.uv) return 0;
    if (isPressed) this.use(640 * found.uv.x, 800 * (1 - found.uv.y), !this.wasPressed);
    this.wasPressed = isPressed;
    return found.distance;
  }

  private use(x: number, y: number, isNew: boolean): void {
    if (y < 80) {
      if (!isNew) return;
      const names = Object.keys(this.doing.buttons);
      const n = Math.min(names.length, Math.max(0, Math.floor(((x - 12) / 616) * (names.length + 1))));
      if (n === names.length) {
        const before = this.page;
        this.page += 1;
        this.rows();
        if (this.page === before) this.page = 0;
      } else this.doing.buttons[names[n]]();
      return this.draw();
    }
    const row = this.rows()[Math.floor((y - 92) / 78)];
    if (!row) return;
    if ("action" in row) {
      if (isNew) this.doing.act(row.action.name);
      return;
    }
    const { parameter, axis } = row;
    const part = Math.min(1, Math.max(0, (x - 20) / 600));
    let value: Value = parameter.value;
    if (axis >= 0) {
      const numbers = [...(parameter.value as number[])];
      numbers[axis] = Number(((2 * part - 1) * reach(parameter)).toPrecision(2));
      if (numbers[axis] === (parameter.value as number[])[axis]) return;
      value = numbers;
    } else if (parameter.kind === "number") value = fromSlider(Math.round(STEPS * part), parameter);
    else if (parameter.kind === "integer") value = Math.round(parameter.low! + part * (parameter.high! - parameter.low!));
    else if (!isNew) return;
    else if (parameter.kind === "switch") value = !parameter.value;
    else value = parameter.choices[(parameter.choices.indexOf(String(parameter.value)) + 1) % parameter.choices.length];
    if (value === parameter.value) return;
    parameter.value = value;
    this.doing.set(parameter.name, value);
    this.draw();
  }
}

export class Headset {
  private readonly hands: XrHand[];
  private readonly board: Board;
  private readonly room = new Group();
  private readonly vibration: Vibration;
  private before: { position: Vector3; target: Vector3 } | null = null;

  constructor(private readonly stage: Stage, private readonly bodies: () => Bodies | null, send: (message: ClientMessage) => void, doing: Doing, wind: WindArrow | null = null) {
    this.board = new Board(doing);
    this.room.add(this.board.mesh);
    this.hands = [0, 1].map((index) => new XrHand(stage, index, bodies, send, this.board, wind));
    this.vibration = new Vibration(this.hands.map((hand) => hand.ray), FIRST_HAND);
    stage.rig.add(this.room);
    this.setVisible(false);
  }

  /** Let a controller tremble as hard as what its hand holds is pushed. */
  feel(touch: Touch): void {
    this.vibration.feel(touch);
  }

  get lastPulse(): number {
    return this.vibration.lastPulse;
  }

  private setVisible(isVisible: boolean): void {
    for (const hand of this.hands) hand.ray.children.forEach((child) => (child.visible = isVisible));
    this.board.mesh.visible = isVisible;
  }

  get isPresenting(): boolean {
    return this.stage.renderer.xr.isPresenting;
  }

  async isOffered(): Promise<boolean> {
    return (await navigator.xr?.isSessionSupported("immersive-vr").catch(() => false)) ?? false;
  }

  setParameters(parameters: Parameter[]): void {
    this.board.show(parameters);
  }

  setActions(actions: Action[]): void {
    this.board.offer(actions);
  }

  answer(name: string, text: string): void {
    this.board.answer(name, text);
  }

  async enter(): Promise<void> {
    const xr = this.stage.renderer.xr;
    if (xr.isPresenting) return xr.getSession()?.end();
    const session = await navigator.xr!.requestSession("immersive-vr", { optionalFeatures: ["local-floor", "hand-tracking"] });
    this.before = { position: this.stage.camera.position.clone(), target: this.stage.controls.target.clone() };
    session.addEventListener("end", () => this.left());
    this.placeRoom();
    this.stage.controls.enabled = false;
    this.setVisible(true);
    xr.setReferenceSpaceType("local-floor");
    await xr.setSession(session);
  }

  /** Stand in front of the scene, its middle at the height of the chest; large scenes are made smaller. */
  private placeRoom(): void {
    const shapes = this.bodies()?.world.shapes;
    if (!shapes) return;
    const size = Math.max(1, shapes.radius / 1.5);
    this.stage.rig.scale.setScalar(size);
    const [x, y, z] = shapes.centre;
    const floor = Math.min(shapes.floor, y - 1.15 * size);
    this.stage.rig.position.set(x, Math.max(floor, y - 1.4 * size), z + Math.max(0.55, 0.9 * shapes.radius / size) * size);
    this.board.mesh.position.set(-0.62, 1.25, -0.55);
    this.board.mesh.rotation.set(0, 0.7, 0);
    this.stage.rig.updateMatrixWorld(true);
  }

  private left(): void {
    this.setVisible(false);
    this.stage.rig.position.set(0, 0, 0);
    this.stage.rig.scale.setScalar(1);
    this.stage.rig.updateMatrixWorld(true);
    if (this.before) {
      this.stage.camera.position.copy(this.before.position);
      this.stage.controls.target.copy(this.before.target);
    }
    this.stage.camera.fov = 38;
    this.stage.controls.enabled = true;
    this.stage.resize();
    this.stage.controls.update();
  }

  update(): void {
    for (const hand of this.hands) hand.update();
  }

  get boardList(): string[] {
    return this.board.listed;
  }

  boardAnswer(name: string): string {
    return this.board.answerTo(name);
  }

  /** Where in the room to hold a controller, and how, so that it points at a part of the board (0 to 1 from its top left). */
  boardAim(right: number, down: number): { place: number[]; turn: number[] } {
    const spot = new Vector3((right - 0.5) * 0.56, (0.5 - down) * 0.7, 0).applyQuaternion(this.board.mesh.quaternion).add(this.board.mesh.position);
    const place = new Vector3(0, 0, 0.5).applyQuaternion(this.board.mesh.quaternion).add(this.board.mesh.position);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, -1), spot.sub(place).normalize());
    return { place: place.toArray(), turn: turn.toArray() };
  }
}
