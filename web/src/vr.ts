// Headsets: the trigger or a pinch uses the tool, a squeeze grabs, in empty air it moves the world; a ray points at the boards.
import {
  AdditiveBlending, BufferGeometry, CanvasTexture, CapsuleGeometry, Group, Line, LineBasicMaterial, Matrix4, Mesh, MeshBasicMaterial,
  PlaneGeometry, Quaternion, Raycaster, SphereGeometry, SRGBColorSpace, Vector3,
} from "three";
import type { XRHandSpace, XRTargetRaySpace } from "three";
import type { Bodies, Hit } from "./bodies";
import { fromSlider, short, toSlider } from "./panel";
import type { Action, ClientMessage, Parameter, Touch, Value } from "./protocol";
import type { Stage } from "./stage";
import { Vibration } from "./vibration";
import { DRAWING } from "./strokes";
import type { Run, Strokes } from "./strokes";
import type { ToolName } from "./palette";
import { ToolBoard } from "./vr_board";
import type { BoardActions } from "./vr_board";
import type { SceneChoice } from "./protocol";
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
  /** What the second board does. */
  board: BoardActions;
}

/** Places along a stroke in the room are so far apart, over the size of the scene. */
const SPACING = 0.01;
/** How small and large the world can be made. */
const SCALES = { least: 0.05, most: 50 };

/** What both boards have in common. */
interface Pointable {
  point(raycaster: Raycaster, isPressed: boolean): number;
}

class XrHand {
  readonly ray: XRTargetRaySpace;
  readonly fingers: XRHandSpace;
  private readonly beam: Line;
  private readonly tip: Mesh;
  private holding: { turn: Quaternion; offset: Vector3 } | null = null;
  private isOnPanel = false;
  private isOnWind = false;
  private lastMoved = 0;
  isPressed = false;
  /** The place in the world that an empty fist holds, and moves the world by. */
  anchor: Vector3 | null = null;
  private source: XRInputSource | null = null;
  private stroke: { tool: ToolName; runs: Run[]; isOn: boolean; last: Vector3 | null; isBegun: boolean } | null = null;

  constructor(
    private readonly stage: Stage,
    readonly index: number,
    private readonly bodies: () => Bodies | null,
    private readonly send: (message: ClientMessage) => void,
    private readonly boards: Pointable[],
    private readonly wind: WindArrow | null,
    private readonly tool: () => ToolName,
    private readonly strokes: Strokes | null,
  ) {
    this.ray = stage.renderer.xr.getController(index);
    const line = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]);
    this.beam = new Line(line, new LineBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45, blending: AdditiveBlending }));
    this.tip = new Mesh(new SphereGeometry(0.012, 12, 8), new MeshBasicMaterial({ color: "#f2b33d" }));
    // Something to see where a hand is: a handle for controllers; joints of fingers are added when they are tracked.
    const handle = new Mesh(new CapsuleGeometry(0.016, 0.08, 4, 12), new MeshBasicMaterial({ color: "#46546c" }));
    handle.rotation.x = Math.PI / 2;
    handle.position.z = 0.055;
    this.ray.add(this.beam, this.tip, handle);
    this.fingers = stage.renderer.xr.getHand(index);
    stage.rig.add(this.fingers);
    this.ray.addEventListener("connected", ({ data }) => {
      this.source = data;
      handle.visible = !data.hand;
    });
    stage.rig.add(this.ray);
    this.ray.addEventListener("squeezestart", () => this.press(true));
    this.ray.addEventListener("selectstart", () => this.press(this.tool() === "grab"));
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

  /** Let the controller be felt. */
  private vibrate(strength: number, milliseconds: number): void {
    const actuator = this.source?.gamepad?.hapticActuators?.[0] as { pulse?: (value: number, duration: number) => void } | undefined;
    actuator?.pulse?.(strength, milliseconds);
  }

  /** Use the tool, or the bare hand. */
  private press(isGrab: boolean): void {
    this.isPressed = true;
    if (this.holding || this.stroke || this.anchor) return;
    if (this.boards.some((board) => board.point(this.raycaster(), true))) {
      this.isOnPanel = true;
      this.vibrate(0.3, 20);
      return;
    }
    if (!isGrab && DRAWING.has(this.tool())) {
      this.stroke = { tool: this.tool(), runs: [], isOn: false, last: null, isBegun: false };
      return this.draw();
    }
    if (!isGrab && this.tool() === "pin") {
      const hit = this.aimed();
      if (hit?.vertices.length) this.send({ type: "toggle_pin", body: hit.body, vertices: hit.vertices });
      return this.vibrate(0.5, 30);
    }
    const { place, turn } = this.pose();
    const reach = REACH * this.stage.rig.scale.x;
    if (this.wind?.take(this.raycaster(), place, reach)) {
      this.isOnWind = true;
      return;
    }
    const near = this.bodies()?.touch(place, reach) ?? this.bodies()?.enclosing(place) ?? null;
    const hit = near ?? this.bodies()?.pick(this.raycaster(), 0.02) ?? null;
    if (!hit) {
      this.anchor = place.clone();
      return;
    }
    this.vibrate(0.6, 40);
    // What is near comes into the hand; what is far stays as far along the ray.
    const offset = near ? new Vector3() : hit.point.clone().sub(place).applyQuaternion(turn.clone().invert());
    this.holding = { turn, offset };
    const { body, vertices, weights } = hit;
    const target = (near ? place : hit.point).toArray();
    this.lastMoved = performance.now() / 1000;
    this.send({ type: "grab", hand: FIRST_HAND + this.index, body, vertices, weights, target, time: this.lastMoved });
    this.send({ type: "feel", hand: FIRST_HAND + this.index, value: true });
  }

  /** What a tool in this hand touches, or points at. */
  private aimed(): Hit | null {
    const { place } = this.pose();
    return this.bodies()?.touch(place, REACH * this.stage.rig.scale.x) ?? this.bodies()?.pick(this.raycaster(), 0.02) ?? null;
  }

  /** Go on with a stroke to where the hand is now. */
  private draw(): void {
    const stroke = this.stroke!;
    const hit = this.aimed();
    const isOn = hit !== null && hit.vertices.length > 0;
    const run = stroke.runs[stroke.runs.length - 1];
    const isFirst = !stroke.isBegun;
    stroke.isBegun = true;
    if (!isOn) {
      if (run && stroke.isOn) run.toBeside = true;
      stroke.isOn = false;
      return;
    }
    const [a, b = a, c = a] = hit.vertices, [u, v = 0, w = 0] = hit.weights;
    const spot = { body: hit.body, corners: [a, b, c] as [number, number, number], weights: [u, v, w] as [number, number, number] };
    const least = SPACING * (this.bodies()?.world.shapes.radius ?? 1);
    if (run && stroke.isOn && run.body === hit.body) {
      if (stroke.last!.distanceTo(hit.point) < least) return;
      run.spots.push(spot);
    } else stroke.runs.push({ body: hit.body, spots: [spot], fromBeside: !isFirst, toBeside: false });
    stroke.isOn = true;
    stroke.last = hit.point.clone();
    this.vibrate(0.15, 10);
  }

  /** Show the joints of a tracked hand. */
  private showFingers(): void {
    for (const joint of Object.values(this.fingers.joints)) {
      if (joint && joint.children.length === 0) joint.add(new Mesh(new SphereGeometry(joint.jointRadius ?? 0.008, 8, 6), new MeshBasicMaterial({ color: "#8fa3b8" })));
    }
  }

  private release(): void {
    this.isPressed = false;
    this.isOnPanel = false;
    this.anchor = null;
    if (this.stroke) {
      const { tool, runs } = this.stroke;
      this.stroke = null;
      this.strokes?.drawn(tool, runs);
    }
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
    if (this.stroke) this.draw();
    this.showFingers();
    if (this.isOnWind) this.wind?.point(this.pose().turn);
    const distance = Math.max(...this.boards.map((board) => board.point(this.raycaster(), this.isOnPanel)));
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
  private readonly tools: ToolBoard;
  private readonly room = new Group();
  private readonly vibration: Vibration;
  private before: { position: Vector3; target: Vector3 } | null = null;

  constructor(private readonly stage: Stage, private readonly bodies: () => Bodies | null, send: (message: ClientMessage) => void, doing: Doing, wind: WindArrow | null = null, strokes: Strokes | null = null) {
    this.board = new Board(doing);
    this.tools = new ToolBoard(doing.board);
    this.room.add(this.board.mesh, this.tools.mesh);
    this.hands = [0, 1].map((index) => new XrHand(stage, index, bodies, send, [this.board, this.tools], wind, doing.board.tool, strokes));
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
    this.board.mesh.visible = this.tools.mesh.visible = isVisible;
    this.tools.draw();
  }

  /** List the scenes on the second board. */
  setScenes(scenes: SceneChoice[], current: string): void {
    this.tools.offer(scenes, current);
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
    this.tools.mesh.position.set(0.62, 1.25, -0.55);
    this.tools.mesh.rotation.set(0, -0.7, 0);
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
    this.moveWorld();
  }

  /** Empty fists hold the world: one moves it, two bring it nearer or make it larger. */
  private moveWorld(): void {
    const { rig } = this.stage;
    const fists = this.hands.filter((hand) => hand.anchor);
    if (!fists.length) return;
    const anchors = fists.map((hand) => hand.anchor!), places = fists.map((hand) => hand.ray.position);
    if (fists.length === 2) {
      const scale = anchors[0].distanceTo(anchors[1]) / Math.max(0.02, places[0].distanceTo(places[1]));
      rig.scale.setScalar(Math.min(SCALES.most, Math.max(SCALES.least, scale)));
    }
    const middle = (points: Vector3[]): Vector3 => points.reduce((sum, each) => sum.add(each), new Vector3()).divideScalar(points.length);
    rig.position.copy(middle(anchors)).addScaledVector(middle(places), -rig.scale.x);
    rig.updateMatrixWorld(true);
  }

  get boardList(): string[] {
    return this.board.listed;
  }

  boardAnswer(name: string): string {
    return this.board.answerTo(name);
  }

  /** Where to hold a controller so that it points at a field of the second board; null if that does not show it. */
  fieldAim(id: string): { place: number[]; turn: number[] } | null {
    const where = this.tools.where(id);
    return where && this.boardAim(...where, this.tools.mesh);
  }

  /** Where in the room to hold a controller, and how, so that it points at a part of the board (0 to 1 from its top left). */
  boardAim(right: number, down: number, board: Mesh = this.board.mesh): { place: number[]; turn: number[] } {
    const spot = new Vector3((right - 0.5) * 0.56, (0.5 - down) * 0.7, 0).applyQuaternion(board.quaternion).add(board.position);
    const place = new Vector3(0, 0, 0.5).applyQuaternion(board.quaternion).add(board.position);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, -1), spot.sub(place).normalize());
    return { place: place.toArray(), turn: turn.toArray() };
  }
}
