// Strokes: lines drawn on cloth with a tool. They are kept as places on the cloth, which move with it, and sent when done.
import { Vector3 } from "three";
import type { Bodies } from "./bodies";
import { byId } from "./element";
import type { Palette, ToolName } from "./palette";
import { LONGEST_STROKE } from "./protocol";
import type { ClientMessage, SurfacePath, Traced } from "./protocol";
import { Picker } from "./picking";
import type { Spot } from "./picking";
import type { Stage } from "./stage";
import type { Tape } from "./tape";

/** Distance of two places along a stroke [px]. */
const SPACING = 5;
/** A stroke that jumps farther than this, as a share of the size of the body, has come to another fold of it. */
const JUMP = 0.12;
/** How often the way to a border is halved to find it. */
const HALVINGS = 6;
/** Time between two questions what would become of a stroke [ms]. */
const TRACE_MS = 120;
/** Steps of the crosshair that keys move [px]. */
const KEY_STEP = 12;

export interface Run {
  body: string;
  spots: Spot[];
  fromBeside: boolean;
  toBeside: boolean;
}

/** Vertices along edges. */
interface Chain {
  body: string;
  vertices: number[];
}

interface Stroke {
  tool: ToolName;
  pointer: number;
  last: { x: number; y: number };
  event: PointerEvent | null;
  /** Whether the last place was on a body. */
  isOn: boolean;
  runs: Run[];
  isGrowing: boolean;
}

/** A hand that keys lead. */
export interface KeyHand {
  readonly isLed: boolean;
  /** Take hold of what is seen at a place on the page [px]; tells whether there was anything. */
  takeAt(x: number, y: number): boolean;
  leadTo(x: number, y: number): void;
  /** Push what is held away, or pull it nearer. */
  push(direction: number): void;
  letGo(): void;
}

/** Tools that draw; the others grab or pin. */
export const DRAWING: ReadonlySet<ToolName> = new Set(["knife", "scissors", "needle", "shrink", "eraser", "tape"]);

export class Strokes {
  private stroke: Stroke | null = null;
  /** The first chain of a seam, waiting for the second. */
  private thread: Run | null = null;
  private readonly picker: Picker;
  private readonly line = byId("ink-line") as unknown as SVGPathElement;
  private readonly threadLine = byId("ink-thread") as unknown as SVGPathElement;
  private readonly ring = byId("ink-ring") as unknown as SVGCircleElement;
  private readonly cross = byId("ink-cross") as unknown as SVGPathElement;
  /** Where the crosshair is that keys move, if it is shown. */
  private aim: { x: number; y: number } | null = null;
  private pointer: { x: number; y: number } | null = null;
  /** Whether anything is drawn over the picture. */
  private isInked = false;
  /** Takes hold of things where the crosshair is. */
  hand: KeyHand | null = null;
  /** Where a tape is laid. */
  tape: Tape | null = null;
  /** Edges that the needle will take: those of the first chain and of the one that is being drawn. */
  private readonly taken: { first: Chain | null; now: Chain | null } = { first: null, now: null };
  private readonly seamLine = byId("ink-seam") as unknown as SVGPathElement;
  private traced = 0;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: () => Bodies | null,
    private readonly palette: Palette,
    private readonly send: (message: ClientMessage) => void,
    private readonly say: (text: string) => void,
  ) {
    this.picker = new Picker(stage);
    stage.host.addEventListener("pointermove", (event) => this.hover(event));
    stage.host.addEventListener("pointerleave", () => this.hover(null));
  }

  get isDrawing(): boolean {
    return this.stroke !== null;
  }

  /** The pointer that draws, if it is one. */
  get event(): PointerEvent | null {
    return this.stroke?.event ?? null;
  }

  begin(event: PointerEvent): void {
    this.hideCross();
    this.start(event.pointerId, event.clientX, event.clientY, event.shiftKey, event);
  }

  private start(pointer: number, x: number, y: number, isGrowing: boolean, event: PointerEvent | null): void {
    const tool = this.palette.tool;
    this.stroke = { tool, pointer, last: { x, y }, event, isOn: false, runs: [], isGrowing };
    this.step(x, y);
  }

  move(event: PointerEvent): void {
    if (event.pointerId !== this.stroke?.pointer) return;
    this.stroke.event = event;
    for (const each of event.getCoalescedEvents?.() ?? []) this.lead(each.clientX, each.clientY);
    this.lead(event.clientX, event.clientY);
    this.ask(event.timeStamp);
  }

  /** Ask what would become of the stroke as far as it is drawn. */
  private ask(now: number): void {
    const { stroke } = this;
    if (!stroke || now - this.traced < TRACE_MS || !stroke.runs.length) return;
    this.traced = now;
    if (stroke.tool === "needle") this.trace(longest(stroke.runs));
    if (stroke.tool === "tape") this.measure(stroke.runs);
  }

  private trace(run: Run): void {
    if (run.spots.length < 2) return;
    const [path] = thinned([run], LONGEST_STROKE / 2);
    this.send({ type: "trace", world: this.bodies()!.world.number, path });
  }

  /** The edges that a needle would take have come. */
  hearTrace(message: Traced): void {
    if (this.palette.tool !== "needle" || message.world !== this.bodies()?.world.number) return;
    const chain = message.vertices.length ? { body: message.body, vertices: message.vertices } : null;
    if (this.stroke) this.taken.now = chain;
    else if (this.thread) {
      this.taken.first = chain;
      if (!chain) this.thread = null;
      this.say(message.text || "Now draw along the edge to sew it to. Escape takes the thread back.");
    }
    this.stage.isDirty = true;
  }

  private measure(runs: Run[]): void {
    const first = runs[0].spots[0], run = runs[runs.length - 1], last = run.spots[run.spots.length - 1];
    if (first.body !== last.body) return this.say("A tape lies on one piece of cloth: it ends at a seam.");
    const vertices = [nearestFirst(first)[0], nearestFirst(last)[0]];
    if (vertices[0] !== vertices[1]) this.tape?.lay(this.bodies()!.world.number, first.body, vertices);
  }

  /** Go on to a place on the page, looking at the cloth all along the way. */
  private lead(x: number, y: number): void {
    const { last } = this.stroke!;
    const steps = Math.ceil(Math.hypot(x - last.x, y - last.y) / SPACING);
    const from = { ...last };
    for (let n = 1; n <= steps; n++) this.step(from.x + ((x - from.x) * n) / steps, from.y + ((y - from.y) * n) / steps);
  }

  private step(x: number, y: number): void {
    const stroke = this.stroke!;
    const isFirst = stroke.runs.length === 0 && !stroke.isOn && stroke.last.x === x && stroke.last.y === y;
    const spot = this.look(x, y);
    const run = stroke.runs[stroke.runs.length - 1];
    if (spot && stroke.isOn && run && this.follows(run, spot)) run.spots.push(spot);
    else {
      if (stroke.isOn && run) {
        const border = this.border(stroke.last, { x, y }, run.body);
        if (border) run.spots.push(border);
        run.toBeside = true;
      }
      if (spot) {
        const border = isFirst ? null : this.border({ x, y }, stroke.last, spot.body);
        stroke.runs.push({ body: spot.body, spots: border ? [border, spot] : [spot], fromBeside: !isFirst, toBeside: false });
      }
    }
    stroke.isOn = spot !== null;
    stroke.last = { x, y };
    this.stage.isDirty = true;
  }

  private look(x: number, y: number): Spot | null {
    const bodies = this.bodies();
    return bodies ? this.picker.at(bodies, x, y) : null;
  }

  /** Whether a place is on the same fold of the same body as the end of a run. */
  private follows(run: Run, spot: Spot): boolean {
    if (run.body !== spot.body) return false;
    const here = this.place(spot), before = this.place(run.spots[run.spots.length - 1]);
    const size = this.bodies()!.views.find((view) => view.shape.name === spot.body)!.half;
    return here !== null && before !== null && here.distanceTo(before) < JUMP * size;
  }

  /** The last place of a body on the way from one place on the page, where it is, to another, where it is not. */
  private border(on: { x: number; y: number }, off: { x: number; y: number }, body: string): Spot | null {
    let inner = { ...on }, outer = { ...off }, found: Spot | null = null;
    for (let n = 0; n < HALVINGS; n++) {
      const middle = { x: (inner.x + outer.x) / 2, y: (inner.y + outer.y) / 2 };
      const spot = this.look(middle.x, middle.y);
      if (spot?.body === body) (found = spot), (inner = middle);
      else outer = middle;
    }
    return found;
  }

  end(pointer: number): void {
    const stroke = this.stroke;
    if (!stroke || pointer !== stroke.pointer) return;
    this.stroke = null;
    this.stage.isDirty = true;
    this.finish(stroke);
  }

  private finish({ tool, runs, isGrowing }: Stroke): void {
    if (runs.length === 0) return this.say(this.palette.missed);
    const world = this.bodies()!.world.number;
    const paths = thinned(runs.slice(0, 16));
    const radius = this.palette.radius(this.bodies()!.world.shapes.radius);
    switch (tool) {
      case "knife":
      case "scissors":
        return this.send({ type: "cut", world, paths, along_edges: tool === "scissors" });
      case "shrink":
        return this.send({ type: "shrink", world, paths, radius, ratio: isGrowing ? 1 / this.palette.ratio : this.palette.ratio });
      case "eraser":
        return this.send({ type: "erase", world, paths, radius });
      case "needle":
        return this.stitch(longest(runs), world);
      case "tape":
        return this.measure(runs);
    }
  }

  /** A stroke that was drawn in the room, not on the page. */
  drawn(tool: ToolName, runs: Run[]): void {
    this.finish({ tool, pointer: -2, last: { x: 0, y: 0 }, event: null, isOn: false, runs, isGrowing: false });
  }

  private stitch(run: Run, world: number): void {
    if (!this.thread) {
      this.thread = run;
      this.taken.now = null;
      this.trace(run);
      if (run.spots.length < 2) this.say("Now draw along the edge to sew it to. Escape takes the thread back.");
      return;
    }
    const [first] = thinned([this.thread], LONGEST_STROKE / 2), [second] = thinned([run], LONGEST_STROKE / 2);
    this.thread = this.taken.first = this.taken.now = null;
    this.send({ type: "sew", world, first, second });
  }

  /** Forget what is being drawn; tell whether there was anything. */
  cancel(): boolean {
    const wasBusy = this.stroke !== null || this.thread !== null || this.aim !== null || (this.tape?.remove() ?? false);
    this.taken.first = this.taken.now = null;
    if (this.hand?.isLed) this.hand.letGo();
    this.stroke = this.thread = null;
    this.hideCross();
    this.stage.isDirty = true;
    return wasBusy;
  }

  // ---------------------------------------------------------------- worlds that change under the hand

  /** Note where everything drawn is, before the bodies it is drawn on are replaced; the result finds it again. */
  keep(): () => void {
    const kept = [...(this.stroke?.runs ?? []), ...(this.thread ? [this.thread] : [])].map((run) => ({ run, places: run.spots.map((spot) => this.place(spot)) }));
    return () => {
      for (const { run, places } of kept) {
        run.spots = places.flatMap((place): Spot[] => {
          const hit = place && this.bodies()?.touch(place, this.bodies()!.world.shapes.radius);
          if (!hit) return [];
          const [vertex] = hit.vertices;
          return [{ body: hit.body, corners: [vertex, vertex, vertex], weights: [1, 0, 0] }];
        });
        run.body = run.spots[0]?.body ?? "";
        run.spots = run.spots.filter((spot) => spot.body === run.body);
      }
      if (this.stroke) this.stroke.runs = this.stroke.runs.filter((run) => run.spots.length > 0);
      if (this.thread?.spots.length === 0) this.thread = null;
      this.taken.first = this.taken.now = null;
      if (this.thread) this.trace(this.thread);
    };
  }

  private place(spot: Spot): Vector3 | null {
    return this.bodies()?.placeOf(spot.body, spot.corners, spot.weights) ?? null;
  }

  // ---------------------------------------------------------------- keys

  /** Move the crosshair, or draw with it; tell whether the key meant something. */
  key(event: KeyboardEvent): boolean {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (event.shiftKey && (dx || dy)) {
      const box = this.stage.host.getBoundingClientRect();
      this.aim ??= { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      this.aim.x = Math.min(box.right - 1, Math.max(box.left, this.aim.x + KEY_STEP * dx));
      this.aim.y = Math.min(box.bottom - 1, Math.max(box.top, this.aim.y + KEY_STEP * dy));
      if (this.stroke) this.lead(this.aim.x, this.aim.y);
      if (this.hand?.isLed) this.hand.leadTo(this.aim.x, this.aim.y);
      this.stage.isDirty = true;
      return true;
    }
    if (this.hand?.isLed && (event.key === "PageUp" || event.key === "PageDown")) {
      this.hand.push(event.key === "PageUp" ? 1 : -1);
      return true;
    }
    if (event.key !== "Enter" || !this.aim) return false;
    if (this.palette.tool === "grab" && this.hand) {
      if (this.hand.isLed) this.hand.letGo();
      else if (!this.hand.takeAt(this.aim.x, this.aim.y)) this.say("Nothing is under the crosshair. Shift and arrows move it.");
      return true;
    }
    if (this.stroke) this.end(this.stroke.pointer);
    else if (DRAWING.has(this.palette.tool)) this.start(-1, this.aim.x, this.aim.y, event.shiftKey, null);
    else if (this.palette.tool === "pin") {
      const spot = this.look(this.aim.x, this.aim.y);
      if (spot) this.send({ type: "toggle_pin", body: spot.body, vertices: nearestFirst(spot) });
    }
    return true;
  }

  private hideCross(): void {
    this.aim = null;
    this.stage.isDirty = true;
  }

  // ---------------------------------------------------------------- ink

  private hover(event: PointerEvent | null): void {
    const tool = this.palette.tool;
    if (tool !== "shrink" && tool !== "eraser") {
      if (this.pointer) this.stage.isDirty = true;
      this.pointer = null;
      return;
    }
    this.pointer = event && { x: event.clientX, y: event.clientY };
    this.stage.isDirty = true;
  }

  /** Draw what the tool is doing over the picture. */
  draw(): void {
    const stroke = this.stroke;
    const isBusy = stroke !== null || this.taken.now !== null || this.thread !== null || this.aim !== null || this.pointer !== null;
    if (!isBusy && !this.isInked) return; // most of the time: nothing to change, nothing to lay out
    this.isInked = isBusy;
    this.line.setAttribute("d", stroke ? stroke.runs.map((run) => this.outline(run)).join("") : "");
    this.threadLine.setAttribute("d", this.thread ? this.outline(this.thread) : "");
    this.seamLine.setAttribute("d", [this.taken.first, this.taken.now].map((chain) => (chain ? this.along(chain) : "")).join(""));
    const tool = this.palette.tool;
    const isBrush = tool === "shrink" || tool === "eraser";
    const spot = this.aim ?? this.pointer;
    const size = isBrush && (spot || stroke) ? this.brushPixels(spot ?? stroke!.last) : 0;
    this.line.style.strokeWidth = isBrush ? `${Math.max(3, 2 * size)}` : "";
    this.line.setAttribute("class", tool);
    const ring = isBrush && spot && size > 0 ? { ...this.local(spot), size } : null;
    this.ring.setAttribute("r", String(ring?.size ?? 0));
    if (ring) (this.ring.setAttribute("cx", String(ring.x)), this.ring.setAttribute("cy", String(ring.y)));
    const aim = this.aim && this.local(this.aim);
    this.cross.setAttribute("d", aim ? `M${aim.x - 12} ${aim.y}h24M${aim.x} ${aim.y - 12}v24` : "");
  }

  private local({ x, y }: { x: number; y: number }): { x: number; y: number } {
    const box = this.stage.host.getBoundingClientRect();
    return { x: x - box.left, y: y - box.top };
  }

  private outline(run: Run): string {
    return this.path(run.spots.map((spot) => this.place(spot)));
  }

  private along({ body, vertices }: Chain): string {
    return this.path(vertices.map((vertex) => this.bodies()?.placeOf(body, [vertex], [1]) ?? null));
  }

  private path(places: (Vector3 | null)[]): string {
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    const seen = places.flatMap((place) => {
      place?.project(this.stage.camera);
      return place ? [`${(((place.x + 1) / 2) * width).toFixed(1)} ${(((1 - place.y) / 2) * height).toFixed(1)}`] : [];
    });
    return seen.length ? `M${seen.join("L")}${seen.length === 1 ? "h.1" : ""}` : "";
  }

  /** What the needle will take, for whoever wants to know. */
  get chosen(): { first: Chain | null; now: Chain | null } {
    return this.taken;
  }

  /** How large the brush looks on the cloth under the pointer, or in the middle of the scene [px]. */
  private brushPixels({ x, y }: { x: number; y: number }): number {
    const bodies = this.bodies();
    if (!bodies) return 0;
    const spot = this.look(x, y);
    const place = (spot && this.place(spot)) ?? this.stage.controls.target;
    const camera = this.stage.camera;
    const slope = Math.tan((camera.fov * Math.PI) / 360);
    return (this.palette.radius(bodies.world.shapes.radius) / (camera.position.distanceTo(place) * slope)) * (this.stage.host.clientHeight / 2);
  }
}

function longest(runs: Run[]): Run {
  return runs.reduce((best, run) => (run.spots.length > best.spots.length ? run : best));
}

/** Vertices around a place, nearest first. */
export function nearestFirst({ corners, weights }: Spot): number[] {
  return [0, 1, 2].sort((a, b) => weights[b] - weights[a]).map((n) => corners[n]).filter((vertex, n, all) => all.indexOf(vertex) === n);
}

/** Runs as the server wants them, with as many places as it takes. */
function thinned(runs: Run[], most: number = LONGEST_STROKE): SurfacePath[] {
  const total = runs.reduce((sum, run) => sum + run.spots.length, 0);
  const stride = Math.max(1, total / Math.max(1, most - 2 * runs.length));
  return runs.map((run) => {
    const last = run.spots.length - 1;
    const chosen = [...Array(Math.floor(last / stride) + 1).keys()].map((n) => run.spots[Math.floor(n * stride)]);
    if (Math.floor((chosen.length - 1) * stride) !== last) chosen.push(run.spots[last]);
    return {
      body: run.body,
      corners: chosen.map((spot) => spot.corners),
      weights: chosen.map((spot) => spot.weights.map((weight) => Number(Math.min(1, Math.max(0, weight)).toFixed(5))) as [number, number, number]),
      from_beside: run.fromBeside,
      to_beside: run.toBeside,
    };
  });
}
