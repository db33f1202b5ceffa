// Plays recordings: a time line to scrub, slow motion, a loop; two recordings side by side, seen from the same place.
import { Bodies } from "./bodies";
import type { Frame } from "./decode";
import { byId, element, icon } from "./element";
import { Fabrics } from "./fabric";
import { about, pinsOf, Recording } from "./recording";
import type { About } from "./recording";
import { ICONS } from "./icons";
import { isDrawnInSoftware } from "./software";
import { Stage } from "./stage";
import type { Theme } from "./stage";
import { chosenTheme, otherTheme, wearTheme } from "./theme";
import { lookTogether } from "./together";

const BUTTONS: Record<string, [path: string, label: string, key: string]> = {
  start: ["M5 5h3v14H5zM20 5v14L9 12z", "To the start", "Home"],
  back: ["M19 5v14l-9-7zM5 5h3v14H5z", "One frame back", "ArrowLeft"],
  play: [ICONS.play, "Play or pause", " "],
  forward: [ICONS.step, "One frame on", "ArrowRight"],
  loop: ["M12 5V1l5 5-5 5V7a5 5 0 0 0-4 8l-1.500 1.500A7 7 0 0 1 12 5zM16 9l1.500-1.500A7 7 0 0 1 12 19v4l-5-5 5-5v4a5 5 0 0 0 4-8z", "Loop", "l"],
  wire: [ICONS.wire, "Wireframe", "w"],
  whole: [ICONS.frame, "See everything", "f"],
  theme: [ICONS.theme, "Dark or light", "t"],
};
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** Frames kept for going back and forth. */
const KEPT_FRAMES = 120;

/** The number of the last frame at or before a moment. */
function frameAt(times: number[], moment: number): number {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= moment + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}

class View {
  readonly stage: Stage;
  private readonly recording: Recording;
  private readonly frames = new Map<number, Promise<Frame>>();
  private readonly fabrics;
  private bodies: Bodies | null = null;
  private wanted = -1;
  shown = -1;

  constructor(readonly told: About, number: number, isLow: boolean) {
    const host = element("div", { className: "view" });
    host.append(element("h2", { className: "card", textContent: told.name }));
    byId("views").append(host);
    this.recording = new Recording(number);
    this.stage = new Stage(host, isLow ? "low" : "high");
    this.fabrics = new Fabrics(isLow ? 2 : 8, isLow);
  }

  private frame(number: number): Promise<Frame> {
    let known = this.frames.get(number);
    if (!known) {
      known = this.recording.frame(number);
      this.frames.set(number, known);
      if (this.frames.size > KEPT_FRAMES) this.frames.delete(this.frames.keys().next().value!);
    }
    return known;
  }

  /** Show a frame as soon as it is here, unless another is wanted by then. */
  async show(number: number): Promise<void> {
    if (number === this.wanted) return;
    this.wanted = number;
    const frame = await this.frame(number);
    if (number !== this.wanted) return;
    if (frame.world !== this.bodies?.world.number) {
      const world = await this.recording.world(frame.world);
      if (number !== this.wanted) return;
      if (this.bodies) {
        this.stage.scene.remove(this.bodies.group);
        this.bodies.dispose();
      }
      this.stage.setWorld(world.shapes, this.bodies === null);
      this.bodies = new Bodies(world, { fabrics: this.fabrics, isLow: this.stage.isLow });
      this.bodies.setPins(pinsOf(world));
      this.bodies.setWireframe(isWireframe);
      this.stage.scene.add(this.bodies.group);
    }
    this.bodies!.update(frame);
    this.shown = number;
    this.stage.isDirty = true;
    for (const ahead of [1, 2, 3]) if (number + ahead < this.told.times.length) void this.frame(number + ahead);
  }

  vertex(body: string, index: number): number[] {
    return this.bodies!.views.find((view) => view.shape.name === body)!.vertex(index).toArray();
  }

  setWireframe(isOn: boolean): void {
    this.bodies?.setWireframe(isOn);
    this.stage.isDirty = true;
  }
}

const views: View[] = [];
let moment = 0, end = 0;
let isPlaying = true, isLooping = true, isWireframe = false;
let step = 0.02;
let last = performance.now();

const scrub = byId<HTMLInputElement>("scrub");
const speed = byId<HTMLSelectElement>("speed");

function go(to: number): void {
  moment = Math.min(end, Math.max(0, to));
  scrub.value = String(Math.round(moment / step));
  const frames = views.map((view) => `${frameAt(view.told.times, view.told.times[0] + moment) + 1} / ${view.told.times.length}`);
  const now = element("b", { textContent: `${moment.toFixed(2)} s` });
  byId("clock").replaceChildren(now, ` of ${end.toFixed(2)} s · frame ${[...new Set(frames)].join(", ")}`);
  for (const view of views) void view.show(frameAt(view.told.times, view.told.times[0] + moment)).catch(complain);
}

function play(isOn: boolean): void {
  isPlaying = isOn;
  if (isOn && moment >= end) go(0);
  byId("play").querySelector("path")!.setAttribute("d", isOn ? ICONS.pause : ICONS.play);
}

function draw(): void {
  const now = performance.now();
  const passed = Math.min(0.1, (now - last) / 1000) * Number(speed.value);
  last = now;
  if (isPlaying && end > 0) {
    // Round the corner in a loop; stand still at the end without one.
    if (moment + passed <= end) go(moment + passed);
    else if (isLooping) go(0);
    else {
      go(end);
      play(false);
    }
  }
  for (const { stage } of views) {
    stage.controls.update();
    if (stage.isDirty) stage.render();
    else if (!isPlaying) stage.sharpen();
  }
}

function complain(trouble: unknown): void {
  byId("banner").hidden = false;
  byId("banner").textContent = trouble instanceof Error ? trouble.message : String(trouble);
}

function setTheme(theme: Theme): void {
  wearTheme(theme);
  for (const { stage } of views) stage.setTheme(theme);
}

const ACTIONS: Record<string, () => void> = {
  start: () => go(0),
  back: () => (play(false), go(moment - step)),
  forward: () => (play(false), go(moment + step)),
  play: () => play(!isPlaying),
  loop: () => byId("loop").setAttribute("aria-pressed", String((isLooping = !isLooping))),
  wire: () => {
    isWireframe = !isWireframe;
    byId("wire").setAttribute("aria-pressed", String(isWireframe));
    for (const view of views) view.setWireframe(isWireframe);
  },
  whole: () => views.forEach(({ stage }) => stage.frame()),
  theme: () => setTheme(otherTheme()),
};

function changeSpeed(by: number): void {
  speed.selectedIndex = Math.min(SPEEDS.length - 1, Math.max(0, speed.selectedIndex + by));
}

function key(event: KeyboardEvent): void {
  if (event.altKey || event.metaKey || event.ctrlKey) return;
  const isOnControl = (event.target as HTMLElement).matches("button, select, input");
  if (isOnControl && (event.key === " " || event.key.startsWith("Arrow"))) return;
  if (event.key === "[" || event.key === "]") return changeSpeed(event.key === "[" ? -1 : 1);
  if (event.key === "End") return go(end);
  const found = Object.entries(BUTTONS).find(([, [, , own]]) => own === event.key);
  if (!found) return;
  event.preventDefault();
  ACTIONS[found[0]]();
}

async function main(): Promise<void> {
  for (const [id, [path, label, own]] of Object.entries(BUTTONS)) {
    const button = byId(id);
    button.append(icon(path));
    button.title = button.ariaLabel = `${label} (${own === " " ? "Space" : own.replace("Arrow", "")})`;
    button.addEventListener("click", ACTIONS[id]);
  }
  for (const each of SPEEDS) speed.append(new Option(`${each} ×`, String(each), each === 1, each === 1));
  addEventListener("keydown", key);
  const told = await about();
  const wish = new URLSearchParams(location.search).get("quality");
  const isLow = wish === "low" || (wish !== "high" && isDrawnInSoftware());
  told.forEach((each, number) => views.push(new View(each, number, isLow)));
  setTheme(chosenTheme());
  if (views.length === 2) lookTogether(views[0].stage, views[1].stage);
  step = 1 / Math.max(...told.map(({ rate }) => rate));
  end = Math.max(...told.map(({ times }) => times[times.length - 1] - times[0]));
  scrub.max = String(Math.max(0, Math.round(end / step)));
  scrub.addEventListener("input", () => (play(false), go(Number(scrub.value) * step)));
  document.title = `${told.map(({ name }) => name).join(" · ")} · supple replay`;
  play(true);
  go(0);
  views[0].stage.renderer.setAnimationLoop(draw);
  Object.assign(window, { replay: probe });
}

/** What can be seen, in numbers, for tests. */
const probe = {
  get moment() { return moment; },
  get end() { return end; },
  get isPlaying() { return isPlaying; },
  get shown() { return views.map((view) => view.shown); },
  /** Where a vertex of a recording is [m]. */
  vertex: (number: number, body: string, index: number) => views[number].vertex(body, index),
  get cameras() { return views.map(({ stage }) => stage.camera.position.toArray()); },
};

main().catch(complain);
