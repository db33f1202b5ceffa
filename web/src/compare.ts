// Compares: the same scene twice, side by side under one camera, with what differs set for each side and curves of both.
import { Bodies } from "./bodies";
import { Connection } from "./connection";
import { readGeometry } from "./decode";
import type { Frame, World } from "./decode";
import { entered, token } from "./door";
import { byId, element, icon } from "./element";
import { Fabrics } from "./fabric";
import { Figures } from "./figures";
import { ICONS } from "./icons";
import { Overlay, SIDE_COLOURS } from "./overlay";
import type { ClientMessage, Parameter, Report, ServerMessage, State, Value } from "./protocol";
import { isDrawnInSoftware } from "./software";
import { Stage } from "./stage";
import { chosenTheme, otherTheme, wearTheme } from "./theme";
import { lookTogether } from "./together";

const NAMES = ["left", "right"];
const PATHS = ["socket", "beside/socket"];
const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1];
/** What can differ between the sides, by the ends of the names of parameters; materials of the first body only. */
const OFFERED = ["integrator", "substeps", "fixed_substeps", ".material", ".young", ".stretch_stiffness", ".damping"];

class Side {
  readonly stage: Stage;
  readonly connection: Connection;
  private readonly fabrics: Fabrics;
  private readonly settings = element("form", { className: "side card" });
  private readonly badge = element("div", { className: "badge", hidden: true });
  private bodies: Bodies | null = null;
  private world: World | null = null;
  private newest: Frame | null = null;
  private shown: Frame | null = null;
  state: State | null = null;
  parameters: Parameter[] = [];
  time = 0;
  isWireframe = false;

  constructor(readonly number: number, isLow: boolean) {
    const host = element("div", { className: "view" });
    host.append(this.settings, this.badge);
    this.badge.setAttribute("role", "status");
    byId("views").append(host);
    this.stage = new Stage(host, isLow ? "low" : "high");
    this.fabrics = new Fabrics(isLow ? 2 : 8, isLow);
    this.settings.addEventListener("submit", (event) => event.preventDefault());
    this.connection = new Connection(token, {
      open: () => undefined,
      message: (message) => this.hear(message),
      geometry: (buffer) => this.showWorld(readGeometry(buffer)),
      frame: (frame) => {
        if (this.newest) this.connection.take(this.newest, this.newest);
        this.newest = frame;
      },
      trouble: (kind, reason) => complain(kind === "lost" ? "The connection to the server is lost. Trying again …" : reason || kind),
    });
  }

  send(message: ClientMessage): void {
    this.connection.send(message);
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "state":
        this.state = message;
        complain(null);
        return heardState();
      case "parameters":
        this.parameters = message.parameters;
        return this.offer();
      case "values":
        for (const parameter of this.parameters) if (parameter.name in message.values) parameter.value = message.values[parameter.name];
        return this.offer();
      case "report":
        if (message.status === "diverged") this.diverge(message);
        return heardReport(this.number, message);
      case "compiling":
        return complain(message.total ? `Preparing the ${NAMES[this.number]} side: ${message.name || message.stage} …` : null);
      case "problem":
        return complain(message.text);
      case "goodbye":
        return complain(message.text);
    }
  }

  /** Say that the motion is no motion any more, until it starts again. */
  private diverge(report: Report): void {
    if (this.badge.hidden) this.badge.textContent = `diverged at ${report.time.toFixed(2)} s`;
    this.badge.hidden = false;
  }

  calm(): void {
    this.badge.hidden = true;
  }

  get isDiverged(): boolean {
    return !this.badge.hidden;
  }

  private showWorld(world: World): void {
    const isNew = world.shapes.scene !== this.world?.shapes.scene;
    this.world = world;
    if (this.bodies) {
      this.stage.scene.remove(this.bodies.group);
      this.bodies.dispose();
    }
    this.shown = null;
    this.bodies = new Bodies(world, { fabrics: this.fabrics, isLow: this.stage.isLow });
    this.bodies.setWireframe(this.isWireframe);
    this.stage.scene.add(this.bodies.group);
    this.stage.setWorld(world.shapes, isNew);
  }

  draw(): void {
    const frame = this.newest;
    this.newest = null;
    if (frame && this.bodies && frame.world === this.world?.number) {
      this.connection.take(frame, this.shown);
      this.shown = frame;
      this.bodies.update(frame);
      this.time = frame.time;
      this.stage.isDirty = true;
    } else if (frame) this.connection.take(frame, frame);
    this.stage.controls.update();
    if (this.stage.isDirty) this.stage.render();
  }

  setWireframe(isOn: boolean): void {
    this.isWireframe = isOn;
    this.bodies?.setWireframe(isOn);
    this.stage.isDirty = true;
  }

  vertex(body: string, index: number): number[] {
    return this.bodies!.views.find((view) => view.shape.name === body)!.vertex(index).toArray();
  }

  /** List what can differ. */
  private offer(): void {
    const head = element("b", { textContent: NAMES[this.number] === "left" ? "Left" : "Right" });
    const dot = element("i");
    dot.style.background = SIDE_COLOURS[this.number];
    head.prepend(dot);
    const offered = OFFERED.map((end) => this.parameters.find(({ name }) => name === end || (end.startsWith(".") && name.endsWith(end)))).filter((each) => each !== undefined);
    this.settings.replaceChildren(head, ...offered.map((parameter) => this.control(parameter)));
  }

  private control(parameter: Parameter): HTMLElement {
    const label = element("label", { title: parameter.help });
    const name = parameter.name.includes(".") ? `${parameter.label}${parameter.unit ? ` [${parameter.unit}]` : ""}` : parameter.label;
    const change = (value: Value): void => this.send({ type: "set", name: parameter.name, value });
    let input: HTMLInputElement | HTMLSelectElement;
    if (parameter.kind === "choice") {
      input = element("select");
      for (const choice of parameter.choices) input.append(new Option(choice, choice, false, choice === parameter.value));
      input.addEventListener("change", () => change(input.value));
    } else if (parameter.kind === "switch") {
      const box = element("input", { type: "checkbox", checked: parameter.value === true });
      box.addEventListener("change", () => change(box.checked));
      input = box;
    } else {
      const box = element("input", { type: "number", step: "any", value: String(parameter.value) });
      if (parameter.kind === "integer") Object.assign(box, { min: String(parameter.low), max: String(parameter.high), step: "1" });
      box.addEventListener("change", () => {
        if (box.value !== "" && Number.isFinite(box.valueAsNumber)) change(box.valueAsNumber);
      });
      input = box;
    }
    input.name = parameter.name;
    input.id = `${NAMES[this.number]}-${parameter.name}`;
    label.append(element("span", { textContent: name }), input);
    return label;
  }
}

const wish = new URLSearchParams(location.search).get("quality");
const isLow = wish === "low" || (wish !== "high" && isDrawnInSoftware());
const sides = NAMES.map((_, number) => new Side(number, isLow));
const figures = new Figures();
const size = { width: innerWidth < 900 ? 240 : 320, height: innerHeight < 600 ? 110 : 150 };
const energy = new Overlay(byId("plots"), "Total energy [J], kinetic dashed", ["left", "right", "left kinetic", "right kinetic"], size);
const stretch = new Overlay(byId("plots"), "Largest length over rest length", ["left", "right"], size);
byId("plots").append(figures.button("comparison.csv"));

const both = (message: ClientMessage): void => sides.forEach((side) => side.send(message));
const isPaused = (): boolean => sides.some((side) => side.state?.is_paused ?? true);
let hasBegun = false;

/** Begin both from the start, once both are there: the right side with the scene and the settings of the left one. */
function heardState(): void {
  const [left, right] = sides;
  if (!left.state || !right.state) return;
  if (!hasBegun) {
    hasBegun = true;
    right.send({ type: "apply", share: left.state.share });
    for (const each of left.state.scenes) byId("scene").append(new Option(each.title, each.name, false, each.name === left.state.scene));
    again();
    both({ type: "pause", value: false });
  }
  byId<HTMLSelectElement>("scene").value = left.state.scene;
  byId<HTMLSelectElement>("speed").value = String(left.state.speed);
  byId("play").querySelector("path")?.setAttribute("d", isPaused() ? ICONS.play : ICONS.pause);
}

function heardReport(number: number, report: Report): void {
  const total = report.kinetic_energy + report.potential_energy;
  figures.add(NAMES[number], report);
  energy.add(report.time, new Map([[number, total], [number + 2, report.kinetic_energy]]));
  stretch.add(report.time, new Map([[number, report.max_stretch]]));
}

function again(): void {
  both({ type: "reset" });
  forget();
}

function forget(): void {
  for (const side of sides) side.calm();
  figures.clear();
  energy.clear();
  stretch.clear();
}

function complain(text: string | null): void {
  byId("banner").hidden = text === null;
  byId("banner").textContent = text ?? "";
}

function setTheme(theme: ReturnType<typeof chosenTheme>): void {
  wearTheme(theme);
  for (const { stage } of sides) stage.setTheme(theme);
}

const ACTIONS: Record<string, [path: string, label: string, key: string, run: () => void]> = {
  play: [ICONS.play, "Play or pause", " ", () => both({ type: "pause", value: !isPaused() })],
  step: [ICONS.step, "One frame", ".", () => both({ type: "step" })],
  again: [ICONS.reset, "Start again", "r", again],
  wire: [ICONS.wire, "Wireframe", "w", () => {
    const isOn = !sides[0].isWireframe;
    byId("wire").setAttribute("aria-pressed", String(isOn));
    for (const side of sides) side.setWireframe(isOn);
  }],
  whole: [ICONS.frame, "See everything", "f", () => sides[0].stage.frame()],
  theme: [ICONS.theme, "Dark or light", "t", () => setTheme(otherTheme())],
};

for (const [id, [path, label, key, run]] of Object.entries(ACTIONS)) {
  const button = byId(id);
  button.append(icon(path));
  button.title = button.ariaLabel = `${label} (${key === " " ? "Space" : key.toUpperCase()})`;
  button.addEventListener("click", run);
}
addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.ctrlKey || (event.target as HTMLElement).matches("button, select, input")) return;
  const found = Object.values(ACTIONS).find(([, , key]) => key === event.key);
  if (!found) return;
  event.preventDefault();
  found[3]();
});
for (const each of SPEEDS) byId("speed").append(new Option(`${each} ×`, String(each), each === 1, each === 1));
byId("speed").addEventListener("change", () => both({ type: "speed", value: Number(byId<HTMLSelectElement>("speed").value) }));
byId("scene").addEventListener("change", () => {
  both({ type: "load", scene: byId<HTMLSelectElement>("scene").value });
  forget();
});
setTheme(chosenTheme());
lookTogether(sides[0].stage, sides[1].stage);
sides[0].stage.renderer.setAnimationLoop(() => {
  for (const side of sides) side.draw();
  byId("clock").textContent = `${Math.min(...sides.map(({ time }) => time)).toFixed(2)} s`;
});
void entered.then(() => sides.forEach((side, number) => side.connection.connect(PATHS[number])));

/** What can be seen, in numbers, for tests. */
const probe = {
  get times() { return sides.map(({ time }) => time); },
  get isPaused() { return isPaused(); },
  get hasBegun() { return hasBegun; },
  get diverged() { return sides.map(({ isDiverged }) => isDiverged); },
  get scenes() { return sides.map(({ state }) => state?.scene); },
  get speeds() { return sides.map(({ state }) => state?.speed); },
  values: (name: string) => sides.map(({ parameters }) => parameters.find((each) => each.name === name)?.value),
  vertex: (number: number, body: string, index: number) => sides[number].vertex(body, index),
  get cameras() { return sides.map(({ stage }) => stage.camera.position.toArray()); },
  get points() { return [0, 1, 2, 3].map((curve) => energy.count(curve)); },
  get csv() { return figures.csv; },
  turn: () => sides[0].stage.orbit(0.4, 0.1),
};
Object.assign(window, { compare: probe });
