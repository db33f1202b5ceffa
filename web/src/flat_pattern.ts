// The flat pattern beside the scene: every panel of a garment as it is cut; what is chosen in one is seen in the other.
import type { World } from "./decode";
import { byId, element } from "./element";
import type { BodyShape, SavePattern } from "./protocol";

const SVG = "http://www.w3.org/2000/svg";
/** Distance between panels [m]. */
const GAP = 0.05;
/** Width over height of the sheet they lie on, and of that on a phone, which lies below the scene. */
const FORMAT = 1.35;
const WIDE_FORMAT = 3;

interface Laid {
  shape: BodyShape;
  flat: Float32Array;
  /** What to add to flat coordinates to get to the sheet, whose y runs down [m]. */
  x: number;
  y: number;
  path: SVGPathElement;
}

/** What the view asks of others. */
export interface FlatHands {
  /** Let a body of the scene shine, and mark a vertex of it; none of it if there is no body. */
  point(body: string, vertex: number | null): void;
  /** Show what the panel of parameters says of a body. */
  choose(body: string): void;
  save(garment: string, form: SavePattern["form"]): void;
}

export class FlatPattern {
  private laid: Laid[] = [];
  private world: World | null = null;
  private readonly sheet = byId("pattern-sheet") as unknown as SVGSVGElement;
  private readonly dot = document.createElementNS(SVG, "circle");
  private readonly size = byId("pattern-size");

  constructor(private readonly host: HTMLElement, private readonly hands: FlatHands) {
    for (const form of ["svg", "dxf", "json"] as const) {
      const button = element("button", { type: "button", textContent: form.toUpperCase(), title: `Save the panels as they are now as .${form}` });
      button.addEventListener("click", () => this.garments.forEach((garment) => hands.save(garment, form)));
      byId("pattern-save").append(button);
    }
    this.sheet.addEventListener("pointermove", (event) => this.hover(event));
    this.sheet.addEventListener("pointerleave", () => {
      this.light("", null);
      hands.point("", null);
    });
    this.sheet.addEventListener("click", (event) => {
      const body = (event.target as SVGElement).dataset.body;
      if (body) hands.choose(body);
    });
    this.dot.setAttribute("class", "dot");
  }

  get isOpen(): boolean {
    return !this.host.hidden;
  }

  /** How many panels are drawn. */
  get count(): number {
    return this.laid.length;
  }

  get garments(): string[] {
    return [...new Set((this.world?.shapes.bodies ?? []).map((body) => body.garment).filter((garment) => garment !== ""))];
  }

  private get isWide(): boolean {
    return matchMedia("(max-width: 700px)").matches;
  }

  toggle(): void {
    this.host.hidden = !this.host.hidden;
    this.draw();
  }

  setWorld(world: World): void {
    this.world = world;
    this.draw();
  }

  private draw(): void {
    if (this.host.hidden || !this.world) return;
    const world = this.world;
    this.size.textContent = this.garments.length ? "" : "No garment here: panels of a pattern would lie on this sheet.";
    const found = world.shapes.bodies.filter((body) => body.garment && body.triangles.count).map((shape) => {
      const flat = world.floats(shape.coordinates);
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      for (let n = 0; n < flat.length; n += 2) {
        box[0] = Math.min(box[0], flat[n]);
        box[1] = Math.min(box[1], flat[n + 1]);
        box[2] = Math.max(box[2], flat[n]);
        box[3] = Math.max(box[3], flat[n + 1]);
      }
      return { shape, flat, box, width: box[2] - box[0], height: box[3] - box[1] };
    });
    const area = found.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
    const across = Math.max(Math.sqrt(area * (this.isWide ? WIDE_FORMAT : FORMAT)), ...found.map(({ width }) => width + GAP));
    let left = GAP, top = GAP, tallest = 0, widest = 0;
    this.laid = [];
    this.sheet.replaceChildren();
    // In rows, the tallest first.
    for (const { shape, flat, box, width, height } of found.sort((a, b) => b.height - a.height)) {
      if (left > GAP && left + width > across + GAP) (top += tallest + GAP), (left = GAP), (tallest = 0);
      const path = document.createElementNS(SVG, "path");
      const x = left - box[0], y = top + box[3];
      path.setAttribute("d", shape.outline.count ? drawn(world.floats(shape.outline), x, y) : border(world.indices(shape.triangles), flat, x, y));
      path.setAttribute("fill", shape.colour);
      path.dataset.body = shape.name;
      this.sheet.append(path);
      this.laid.push({ shape, flat, x, y, path });
      left += width + GAP;
      tallest = Math.max(tallest, height);
      widest = Math.max(widest, left);
    }
    this.sheet.append(this.dot);
    this.sheet.setAttribute("viewBox", `0 0 ${Math.max(widest, 0.1)} ${top + tallest + GAP}`);
    this.dot.setAttribute("r", String(0.012 * Math.max(widest, top + tallest)));
    this.light("", null);
  }

  private hover(event: PointerEvent): void {
    const body = (event.target as SVGElement).dataset.body ?? "";
    const matrix = this.sheet.getScreenCTM();
    const laid = this.laid.find((each) => each.shape.name === body);
    if (!laid || !matrix) {
      this.light("", null);
      return this.hands.point("", null);
    }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let vertex = 0, best = Infinity;
    for (let n = 0; n < laid.flat.length / 2; n++) {
      const d = (laid.flat[2 * n] + laid.x - at.x) ** 2 + (laid.y - laid.flat[2 * n + 1] - at.y) ** 2;
      if (d < best) (best = d), (vertex = n);
    }
    this.light(body, vertex);
    this.hands.point(body, vertex);
  }

  /** Show which panel is meant, and which of its vertices; "" is none. */
  light(body: string, vertex: number | null): void {
    if (this.host.hidden) return;
    let lit: Laid | null = null;
    for (const each of this.laid) {
      each.path.classList.toggle("lit", each.shape.name === body);
      if (each.shape.name === body) lit = each;
    }
    const isMarked = lit !== null && vertex !== null && 2 * vertex < lit.flat.length;
    this.dot.style.display = isMarked ? "" : "none";
    if (isMarked) {
      this.dot.setAttribute("cx", String(lit!.flat[2 * vertex!] + lit!.x));
      this.dot.setAttribute("cy", String(lit!.y - lit!.flat[2 * vertex! + 1]));
    }
    if (this.laid.length) this.size.textContent = lit ? told(lit) : `${this.laid.length} panels of ${this.garments.join(", ").replaceAll("-", " ")}`;
  }
}

function told({ shape, flat }: Laid): string {
  let left = Infinity, low = Infinity, right = -Infinity, high = -Infinity;
  for (let n = 0; n < flat.length; n += 2) {
    (left = Math.min(left, flat[n])), (right = Math.max(right, flat[n]));
    (low = Math.min(low, flat[n + 1])), (high = Math.max(high, flat[n + 1]));
  }
  const name = shape.name.replace(`${shape.garment}-`, "").replaceAll(/[_-]/g, " ");
  return `${name}: ${(100 * (right - left)).toFixed(1)} × ${(100 * (high - low)).toFixed(1)} cm`;
}

/** Loops as a path; each ends with NaN. */
function drawn(loops: Float32Array, x: number, y: number): string {
  let words = "";
  for (let n = 0, isFirst = true; n < loops.length; n += 2) {
    const isEnd = Number.isNaN(loops[n]);
    words += isEnd ? "Z" : `${isFirst ? "M" : "L"}${(loops[n] + x).toFixed(4)} ${(y - loops[n + 1]).toFixed(4)}`;
    isFirst = isEnd;
  }
  return words;
}

/** The border of triangles as a path: sides that one triangle has alone, from end to end. */
function border(triangles: ArrayLike<number>, flat: Float32Array, x: number, y: number): string {
  const after = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k], b = triangles[t + ((k + 1) % 3)];
      after.set(a * 1e7 + b, b);
    }
  }
  const next = new Map<number, number[]>();
  for (const [key, b] of after) {
    const a = Math.floor(key / 1e7);
    if (!after.has(b * 1e7 + a)) next.set(a, [...(next.get(a) ?? []), b]);
  }
  const place = (n: number): string => `${(flat[2 * n] + x).toFixed(4)} ${(y - flat[2 * n + 1]).toFixed(4)}`;
  let words = "";
  for (const first of next.keys()) {
    let at = first, to = next.get(at)?.pop();
    if (to === undefined) continue;
    words += `M${place(first)}`;
    while (to !== undefined && to !== first) {
      words += `L${place(to)}`;
      at = to;
      to = next.get(at)?.pop();
    }
    words += "Z";
  }
  return words;
}
