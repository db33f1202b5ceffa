// Puts the page together: what comes from the server is shown, what hands do is sent.
import { Vector3 } from "three";
import { Bodies } from "./bodies";
import { Connection } from "./connection";
import type { Trouble } from "./connection";
import { readGeometry } from "./decode";
import type { Frame, World } from "./decode";
import { entered, invitation, token } from "./door";
import { download, save } from "./download";
import { byId } from "./element";
import { Fabrics } from "./fabric";
import { FlatPattern } from "./flat_pattern";
import { Confirmation } from "./confirm";
import { Gallery } from "./gallery";
import { GhostHand } from "./ghost";
import { Hud, Plots } from "./hud";
import { ICONS } from "./icons";
import { Marks } from "./marks";
import { Palette } from "./palette";
import { Panel } from "./panel";
import type { ClientMessage, Report, ServerMessage, State } from "./protocol";
import { isDrawnInSoftware } from "./software";
import { Stage } from "./stage";
import type { Theme } from "./stage";
import { Stillness } from "./stillness";
import { StrainScale } from "./strain_scale";
import { Strokes } from "./strokes";
import { SurfaceView } from "./surface";
import { Tape } from "./tape";
import { chosenTheme, otherTheme, wearTheme } from "./theme";
import { banner, toast, Tools } from "./tools";
import type { Choice } from "./tools";
import { PointerInput } from "./pointer";
import { Headset } from "./vr";
import { WaterSurfaces } from "./water";
import { WindArrow } from "./wind";

const query = new URLSearchParams(location.search);
const hash = new URLSearchParams(location.hash.slice(1));
const isShot = query.has("shot");

function makeStage(): Stage | null {
  try {
    const wish = query.get("quality");
    return new Stage(byId("view"), wish === "low" || (wish !== "high" && isDrawnInSoftware()) ? "low" : "high");
  } catch {
    return null;
  }
}

const stage = makeStage();
let bodies: Bodies | null = null;
let world: World | null = null;
let state: State | null = null;
let report: Report | null = null;
/** Frames that have come and are not drawn yet, the newest last. */
let waiting: Frame[] = [];
let shown: Frame | null = null;
let isWireframe = false;
let isStrain = false;
let isPressure = false;
let hasApplied = false;
let farewell: string | null = null;
let drawnFrames = 0;
let drawnRate = 0;
let lastScene = "";
let updateMilliseconds = 0;
const problems: string[] = [];
/** Finds what is half drawn again on the bodies of a new world, once a frame of it has come. */
let findAgain: () => void = () => undefined;
let isFound = true;

// ---------------------------------------------------------------- from the server

const connection = new Connection(token, {
  open(): void {
    farewell = null;
    waiting = [];
    banner(stage ? null : NO_WEBGL);
    connection.send({ type: "view", strain: isStrain, pressure: isPressure });
    if (!hasApplied && [...hash.keys()].some((key) => key === "scene" || key.startsWith("p."))) {
      const shared = new URLSearchParams(hash);
      shared.delete("token");
      shared.delete("code");
      connection.send({ type: "apply", share: shared.toString() });
    }
    hasApplied = true;
  },
  message: hear,
  geometry(buffer): void {
    world = readGeometry(buffer);
    showWorld();
  },
  frame(frame): void {
    waiting.push(frame);
    // The newest wins. A page that nobody sees takes nothing in, and soon is sent nothing more.
    if (!document.hidden) drop(waiting.splice(0, waiting.length - (stage ? 1 : 0)));
  },
  trouble(kind: Trouble, reason: string): void {
    pointer?.releaseAll();
    banner(
      {
        lost: `${farewell ?? "The connection to the server is lost."} Trying again …`,
        "bad-link": "This link is wrong: it does not belong to the running server, or it has been used. Open the link that “supple play” printed last.",
        "bad-version": `Page and server do not fit together (${reason}). Load this page again.`,
        crowded: `The server sent this page away: ${reason || "too many pages are open"}. Trying again …`,
      }[kind],
    );
  },
});

const NO_WEBGL = "This browser offers no WebGL, so nothing can be drawn. The panel still works; switch hardware acceleration on, or use another browser.";

function hear(message: ServerMessage): void {
  switch (message.type) {
    case "parameters":
      panel.build(message.parameters, message.actions);
      headset?.setParameters(message.parameters);
      headset?.setActions(message.actions);
      wind?.setParameters(message.parameters);
      break;
    case "values":
      panel.show(message.values);
      headset?.setParameters(panel.parameters);
      wind?.setParameters(panel.parameters);
      break;
    case "answer":
      panel.answer(message.name, message.text);
      headset?.answer(message.name, message.text);
      toast(message.text);
      marks?.show(message.places);
      break;
    case "state":
      state = message;
      showState();
      break;
    case "report":
      report = message;
      hud.show(message, { drawn: drawnRate, wanted: state?.frame_rate ?? 50 });
      plots.add(message);
      break;
    case "touch":
      headset?.feel(message);
      break;
    case "traced":
      strokes?.hearTrace(message);
      break;
    case "tape":
      tape?.measured(message);
      break;
    case "pressure":
      if (isPressure && message.world === world?.number) {
        bodies?.setPressure(message.body, message.values);
        byId("pressure-most").textContent = `${Number(message.most.toPrecision(2))}\u202fPa on ${message.body.replaceAll("-", " ")}`;
        if (stage) stage.isDirty = true;
      }
      break;
    case "saved":
      void download(message.name, message.text);
      break;
    case "compiling": {
      const text = {
        start: "The server is starting …",
        world: "Building the world …",
        maps: `Measuring the distances around “${message.name}”, the first time only`,
        untangling: `Untangling the start: ${message.done} of ${message.total} edges are free`,
        kernels: message.seconds ? `Preparing, about ${message.seconds} s, once` : `Preparing, once${message.name ? `: ${message.name}` : ""}`,
      }[message.stage];
      banner(message.total ? text : stage ? null : NO_WEBGL, message.total ? message : undefined);
      break;
    }
    case "problem":
      problems.push(message.text);
      confirmation.refused(message.about);
      if (message.about === "measure") tape?.refused();
      if (message.about !== "ack" && message.about !== "move") toast(message.text);
      break;
    case "recorded":
      void download(message.name, `Recorded ${message.frames} frames: ${message.name}`, message.also);
      break;
    case "script_saved": {
      const missing = message.is_complete ? "" : " Some of what was done cannot be written down, so a replay will differ.";
      void download(message.name, `${message.entries} ${message.entries === 1 ? "entry" : "entries"} in ${message.name}.${missing}`);
      break;
    }
    case "goodbye":
      farewell = message.text;
      banner(message.text);
      break;
  }
}

function showWorld(): void {
  if (!stage || !world) return;
  // A scene that is new is looked at from where it is meant to be seen; edits and resets leave the camera alone.
  const isNew = bodies === null || world.shapes.scene !== bodies.world.shapes.scene;
  const find = strokes?.keep();
  isFound = !find;
  findAgain = find ?? findAgain;
  if (bodies) {
    stage.scene.remove(bodies.group);
    bodies.dispose();
  }
  shown = null;
  marks?.show([]);
  bodies = new Bodies(world, { fabrics, isLow: stage.isLow });
  bodies.setWireframe(isWireframe);
  bodies.setStrain(isStrain, strainScale.value);
  bodies.setGhost(isPressure);
  stage.scene.add(bodies.group);
  stage.setWorld(world.shapes, isNew);
  flat.setWorld(world);
  offerGarmentTools();
  waterSurfaces.setWorld(world.shapes, stage.isLow);
  wind?.setWorld(world.shapes);
  palette.offer(bodies.surfacesOffered, world.shapes.bodies.length > 0);
  if (state) bodies.setPins(state.pins);
}

function showState(): void {
  if (!state) return;
  byId("scene-title").textContent = byId("scene-title").title = state.title;
  byId("scene-description").textContent = state.description;
  const done = confirmation.heard(state);
  if (done) toast(done);
  document.title = `${state.scene} · supple studio`;
  gallery.show(state.scenes, state.scene);
  headset?.setScenes(state.scenes, state.scene);
  bodies?.setPins(state.pins);
  if (stage) stage.isDirty = true;
  if (state.scene !== lastScene) {
    lastScene = state.scene;
    expandDescription(false);
    plots.clear();
  }
  tools.setIcon("pause", state.is_paused ? ICONS.play : ICONS.pause);
  tools.label("pause", state.is_paused ? "Go on" : "Pause");
  tools.setIcon("record", state.is_recording ? ICONS.stop : ICONS.record);
  tools.label("record", state.is_recording ? "End the recording" : "Record");
  tools.press("record", state.is_recording);
  tools.enable("undo", state.can_undo);
  tools.label("undo", state.undo_label ? `Undo: ${state.undo_label}` : "Undo");
  tools.enable("redo", state.can_redo);
  tools.label("redo", state.redo_label ? `Redo: ${state.redo_label}` : "Redo");
}

/** Let frames go that are not to be drawn. */
function drop(frames: Frame[]): void {
  for (const frame of frames) connection.take(frame, frame);
}

/** Draw the newest of the frames that have come; tell whether there was one. */
function showNewest(): boolean {
  const frame = waiting.pop();
  drop(waiting.splice(0));
  if (!frame) return false;
  if (!bodies || frame.world !== world?.number) {
    drop([frame]);
    return false;
  }
  connection.take(frame, shown);
  shown = frame;
  const started = performance.now();
  bodies.update(frame);
  if (isStrain && strainScale.fit(bodies, started)) bodies.setStrain(true, strainScale.value);
  if (!isFound) findAgain();
  isFound = true;
  waterSurfaces.update(frame.time);
  updateMilliseconds += performance.now() - started;
  return true;
}

// ---------------------------------------------------------------- what people do

const confirmation = new Confirmation();
const strainScale = new StrainScale();

function send(message: ClientMessage): void {
  confirmation.sent(message, state);
  connection.send(message);
}

/** Show the whole description, or its first lines. */
function expandDescription(isWhole: boolean): void {
  byId("title").classList.toggle("whole", isWhole);
  byId("scene-description").ariaExpanded = String(isWhole);
}

byId("scene-description").addEventListener("click", () => expandDescription(!byId("title").classList.contains("whole")));
const panel = new Panel(byId("panel"), (name, value) => send({ type: "set", name, value }), (name) => send({ type: "act", name }));
const hud = new Hud(byId("hud"));
const plots = new Plots(byId("plots"));
const flat = new FlatPattern(byId("pattern"), {
  point(body, vertex) {
    if (bodies?.light(body) && stage) stage.isDirty = true;
    const view = bodies?.views.find((candidate) => candidate.shape.name === body);
    marks?.show(view && vertex !== null && view.points.length ? [view.vertex(vertex).toArray()] : []);
  },
  choose: (body) => panel.reveal(body),
  save: (garment, form) => send({ type: "save_pattern", garment, form }),
});
const gallery = new Gallery((scene) => send({ type: "load", scene }));
byId("open-gallery").addEventListener("click", () => gallery.open());

async function shareLink(): Promise<void> {
  if (!state) return;
  const own = new URL(location.href);
  own.hash = state.share;
  history.replaceState(null, "", own);
  const link = await invitation(state.share);
  const choices = shareChoices(state);
  try {
    await navigator.clipboard.writeText(link);
    toast("The link is in the clipboard. It lets one more browser in while this studio runs. What lasts:", choices);
  } catch {
    history.replaceState(null, "", link);
    toast("The address bar holds a link. It lets one more browser in while this studio runs. What lasts:", choices);
  }
}

/** What others can do with a scene when this studio is gone: its file, and the command that opens it as it is now. */
function shareChoices({ scene, scenes, share }: State): Choice[] {
  const values = share.split("&").filter((each) => each.startsWith("p.")).join("&");
  const isOffered = scenes.some((each) => each.name === scene && each.group !== "Yours");
  const command = `supple play ${isOffered ? scene : `${scene}.toml`}${values ? ` --share "${values}"` : ""}`;
  const asFile = async (): Promise<void> => {
    const answer = await fetch("scene.toml");
    if (!answer.ok) return toast((await answer.text()).trim());
    save(await answer.blob(), `${scene}.toml`);
    toast(values ? `${scene}.toml is among the downloads. With your settings: ${command}` : `${scene}.toml is among the downloads.`);
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(command).catch(() => undefined);
    toast(command);
  };
  return [{ label: "the command", run: () => void copy() }, { label: "the scene as TOML", run: () => void asFile() }];
}

async function takePicture(): Promise<void> {
  if (!stage) return;
  bodies?.setCoarse(false);
  save(await stage.picture(), `${state?.scene ?? "supple"}-${(bodies?.time ?? 0).toFixed(2)}s.png`);
  toast("The picture is among the downloads.");
}

function changeSpeed(factor: number): void {
  const value = Math.min(1, Math.max(1 / 64, factor * (state?.speed ?? 1)));
  send({ type: "speed", value });
  toast(value < 1 ? `Slow motion: 1 s takes ${Number((1 / value).toPrecision(3))} s.` : "Real time.");
}

function toggleStrain(): void {
  isStrain = !isStrain;
  send({ type: "view", strain: isStrain, pressure: isPressure });
  bodies?.setStrain(isStrain, strainScale.value);
  tools.press("strain", isStrain);
  byId("strain-key").hidden = !isStrain;
  if (stage) stage.isDirty = true;
}

/** Pressure and the flat pattern are offered where there is a garment, or something that could wear one. */
function offerGarmentTools(): void {
  const hasGarment = world!.shapes.bodies.some((body) => body.garment !== "");
  const isWorn = world!.shapes.bodies.some((body) => body.kind === "puppet") || world!.shapes.solids.some((solid) => solid.kind !== "floor");
  tools.hide("pattern", !hasGarment);
  tools.hide("pressure", !hasGarment || !isWorn);
  if (!hasGarment && flat.isOpen) togglePattern();
  if (!hasGarment && isPressure) togglePressure();
}

function togglePressure(): void {
  isPressure = !isPressure;
  connection.send({ type: "view", strain: isStrain, pressure: isPressure });
  tools.press("pressure", isPressure);
  byId("pressure-key").hidden = !isPressure;
  if (isPressure) bodies?.setGhost(true);
  else bodies?.clearPressure();
  if (stage) stage.isDirty = true;
}

function togglePattern(): void {
  flat.toggle();
  tools.press("pattern", flat.isOpen);
  makeRoom();
}

function toggleWireframe(): void {
  isWireframe = !isWireframe;
  bodies?.setWireframe(isWireframe);
  tools.press("wire", isWireframe);
  if (stage) stage.isDirty = true;
}

function setTheme(theme: Theme): void {
  wearTheme(theme);
  stage?.setTheme(theme);
}

const palette = new Palette(byId("palette"), byId("palette-options"), (tool) => {
  strokes?.cancel();
  tape?.remove();
  byId("view").dataset.tool = tool;
  toast(palette.help);
});

/** Keys that a tool understands before all others. */
function toolKey(event: KeyboardEvent): boolean {
  if (strokes?.key(event)) return true;
  if (event.key !== "Escape") return false;
  if (!strokes?.cancel() && palette.tool !== "grab") palette.choose("grab");
  return true;
}

const tools: Tools = new Tools(byId("tools"), [
  { id: "panel", label: "Parameters", key: "m", path: ICONS.panel, run: toggleSheet },
  { id: "pause", label: "Pause", key: " ", path: ICONS.pause, run: () => send({ type: "pause", value: !state?.is_paused }) },
  { id: "step", label: "One frame", key: ".", path: ICONS.step, run: () => send({ type: "step" }) },
  { id: "slower", label: "Slow motion: half as fast", key: "[", run: () => changeSpeed(0.5) },
  { id: "faster", label: "Twice as fast, up to real time", key: "]", run: () => changeSpeed(2) },
  { id: "compare", label: "Compare two settings side by side", key: "k", run: () => void open("compare.html", "_blank") },
  { id: "reset", label: "Start again", key: "r", path: ICONS.reset, run: () => send({ type: "reset" }) },
  { id: "undo", label: "Undo", key: "u", path: ICONS.undo, run: () => send({ type: "undo" }) },
  { id: "redo", label: "Redo", key: "y", path: ICONS.redo, run: () => send({ type: "redo" }) },
  { id: "record", label: "Record", key: "c", path: ICONS.record, run: () => send({ type: "record", value: !state?.is_recording }) },
  { id: "script", label: "Save the edits as a script", key: "e", path: ICONS.script, run: () => send({ type: "save_script" }) },
  { id: "picture", label: "Picture", key: "p", path: ICONS.picture, run: () => void takePicture() },
  { id: "share", label: "Share this scene", key: "l", path: ICONS.share, run: shareLink },
  { id: "frame", label: "See everything", key: "f", path: ICONS.frame, run: () => stage?.frame(undefined, undefined, bodies?.places()) },
  { id: "wire", label: "Wireframe", key: "w", path: ICONS.wire, run: toggleWireframe },
  { id: "strain", label: "Colour by strain", key: "s", path: ICONS.strain, run: toggleStrain },
  { id: "pressure", label: "Pressure on whoever wears it", key: "b", path: ICONS.pressure, run: togglePressure },
  { id: "pattern", label: "Flat pattern", key: "d", path: ICONS.pattern, run: togglePattern },
  { id: "plots", label: "Plots", key: "o", path: ICONS.plots, run: togglePlots },
  { id: "theme", label: "Dark or light", key: "t", path: ICONS.theme, run: () => setTheme(otherTheme()) },
  { id: "headset", label: "Enter VR", key: "v", path: ICONS.headset, run: () => void headset?.enter() },
  { id: "hide", label: "Hide the panels", key: "h", path: ICONS.hide, run: toggleBare },
  { id: "help", label: "Hands and keys", key: "?", path: ICONS.help, run: () => byId<HTMLDialogElement>("help").showModal() },
  ...palette.actions(),
  { id: "gallery", label: "Scenes", key: "g", run: () => gallery.open() },
  { id: "left", label: "Turn left", key: "ArrowLeft", run: () => stage?.orbit(-0.1, 0) },
  { id: "right", label: "Turn right", key: "ArrowRight", run: () => stage?.orbit(0.1, 0) },
  { id: "up", label: "Look from above", key: "ArrowUp", run: () => stage?.orbit(0, 0.08) },
  { id: "down", label: "Look from below", key: "ArrowDown", run: () => stage?.orbit(0, -0.08) },
  { id: "nearer", label: "Nearer", key: "+", run: () => stage?.orbit(0, 0, 0.9) },
  { id: "farther", label: "Farther", key: "-", run: () => stage?.orbit(0, 0, 1.1) },
], toolKey);
tools.describe();
tools.hide("pressure", true);
tools.hide("pattern", true);
for (const id of ["wire", "strain", "pressure", "pattern", "plots", "record", "panel"]) tools.press(id, false);

/** On a narrow page the panel is a sheet that is drawn up from below. */
function toggleSheet(): void {
  tools.press("panel", document.body.classList.toggle("sheet"));
  makeRoom();
}

function toggleBare(): void {
  document.body.classList.toggle("bare");
  makeRoom();
}

/** Keep the middle of the scene in the middle of what is free. */
function makeRoom(): void {
  const panelBox = byId("panel").getBoundingClientRect();
  const isBeside = panelBox.width > 0 && panelBox.left > innerWidth / 2;
  if (isBeside) return stage?.cover({ left: byId("palette").getBoundingClientRect().right, right: innerWidth - panelBox.left, top: 0, bottom: 0 });
  const isNarrow = matchMedia("(max-width: 700px)").matches && !document.body.classList.contains("bare") && !isShot;
  if (!isNarrow) return stage?.cover({ left: 0, right: 0, top: 0, bottom: 0 });
  const pattern = byId("pattern").getBoundingClientRect();
  const lowest = Math.min(pattern.height > 0 ? pattern.top : Infinity, byId("palette").getBoundingClientRect().top, panelBox.height > 0 ? panelBox.top : Infinity);
  stage?.cover({ left: 0, right: 0, top: byId("hud").getBoundingClientRect().bottom, bottom: innerHeight - lowest });
}

function togglePlots(): void {
  plots.toggle();
  tools.press("plots", plots.isOpen);
}

// ---------------------------------------------------------------- drawing

const fabrics = new Fabrics(stage && !stage.isLow ? Math.min(8, stage.renderer.capabilities.getMaxAnisotropy()) : 2, stage?.isLow ?? true);
const waterSurfaces = new WaterSurfaces();
stage?.scene.add(waterSurfaces.group);
const wind = stage && !isShot ? new WindArrow(stage, (name, value) => send({ type: "set", name, value })) : null;
if (wind) stage?.scene.add(wind.group);
const stillness = stage && new Stillness(stage);
const marks = stage && new Marks(stage);
const strokes = stage && new Strokes(stage, () => bodies, palette, send, toast);
const tape = stage && new Tape(stage, send);
if (strokes) strokes.tape = tape;
const ghost = stage && !isShot ? new GhostHand(stage) : null;
const pointer = stage && new PointerInput(stage, () => bodies, send, (hit) => {
  byId("view").dataset.grabbed = hit ? hit.body : "";
  stage.hold(hit !== null);
  if (hit) ghost?.grabbed();
}, () => palette.tool, strokes!);
if (strokes && pointer) strokes.hand = pointer;
if (pointer) pointer.onHover = (hit) => flat.light(hit?.body ?? "", hit?.vertices[0] ?? null);
const headset = stage && new Headset(stage, () => bodies, send, {
  buttons: {
    Pause: () => send({ type: "pause", value: !state?.is_paused }),
    "One frame": () => send({ type: "step" }),
    "Start again": () => send({ type: "reset" }),
    Undo: () => send({ type: "undo" }),
  },
  set: (name, value) => send({ type: "set", name, value }),
  act: (name) => send({ type: "act", name }),
  board: {
    tool: () => palette.tool,
    choose: (tool) => palette.choose(tool),
    redo: () => send({ type: "redo" }),
    record: () => send({ type: "record", value: !state?.is_recording }),
    load: (scene) => send({ type: "load", scene }),
  },
}, wind, strokes);
tools.hide("headset", true);
void headset?.isOffered().then((isOffered) => tools.hide("headset", !isOffered));

/** What has not changed for so long is drawn once more with all its pixels [ms]. */
const STILL_MS = 300;

let rateStart = performance.now();
let rateFrames = 0;
let lastDrawn = 0;

document.addEventListener("visibilitychange", () => stage?.forgetTurns());

function draw(): void {
  if (!stage) return;
  if (!isShot && !headset?.isPresenting) stage.turned();
  const isNew = showNewest();
  tape?.update(world?.number ?? 0, isNew);
  if (isNew) {
    // A frame in which nothing moves by a pixel is on the screen already.
    if (isStrain || isPressure || world!.shapes.waters.length || stillness!.hasMoved(bodies!)) stage.isDirty = true;
    else drawnFrames += 1;
  }
  if (headset?.isPresenting) {
    headset.update();
    stage.isDirty = true;
  } else if (stage.controls.enabled) {
    stage.controls.update();
  }
  ghost?.update(bodies, palette.tool === "grab" && state?.is_paused === false && byId("banner").hidden && !headset?.isPresenting);
  const now = performance.now();
  if (!stage.isDirty) {
    if (now - lastDrawn > STILL_MS) {
      bodies?.setCoarse(false);
      if (stage.sharpen() && bodies) stillness!.drew(bodies);
    }
    return;
  }
  bodies?.setCoarse(stage.isCoarse && !isWireframe);
  stage.render();
  if (bodies) stillness!.drew(bodies);
  strokes?.draw();
  lastDrawn = now;
  drawnFrames += 1;
  rateFrames += 1;
  if (now - rateStart > 1000) {
    drawnRate = (1000 * rateFrames) / (now - rateStart);
    rateStart = now;
    rateFrames = 0;
  }
}

if (stage) {
  stage.renderer.setAnimationLoop(draw);
  stage.renderer.domElement.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    banner("The graphics driver took the drawing away. Waiting for it to come back …");
  });
  stage.renderer.domElement.addEventListener("webglcontextrestored", () => banner(null));
} else {
  banner(NO_WEBGL);
}
setTheme(chosenTheme(query.get("theme")));
if (isShot) {
  document.body.classList.add("shot");
  // A window has a frame and a smallest size; the picture is to have neither.
  Object.assign(byId("view").style, { inset: "auto", width: `${query.get("width")}px`, height: `${query.get("height")}px` });
  if (stage) stage.pixelRatio = 1;
  stage?.resize();
}
addEventListener("resize", makeRoom);
makeRoom();
void entered.then(() => connection.connect());

// ---------------------------------------------------------------- for tests and for `supple shot`

async function sendPicture(azimuth?: number, elevation?: number): Promise<void> {
  stage!.frame(azimuth, elevation, world?.shapes.outlook?.distance ? [] : bodies?.places());
  const picture = await stage!.picture();
  await fetch("picture", { method: "POST", body: picture });
}

if (isShot && stage) {
  const timer = setInterval(() => {
    if (!bodies || bodies.frame < 0) return;
    clearInterval(timer);
    const wish = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
    void sendPicture(wish("azimuth"), wish("elevation"));
  }, 50);
}

const view = (body: string) => bodies!.views.find((candidate) => candidate.shape.name === body)!;

/** What can be seen, in numbers. */
const probe = {
  get state() { return state; },
  get report() { return report; },
  get frame() { return bodies?.frame ?? -1; },
  get time() { return bodies?.time ?? 0; },
  get drawnFrames() { return drawnFrames; },
  /** Triangles of the picture drawn last, shadows included. */
  get triangles() { return stage!.renderer.info.render.triangles; },
  get updateMilliseconds() { return updateMilliseconds; },
  get feedMilliseconds() { return connection.feedMilliseconds; },
  get bytesReceived() { return connection.bytesReceived; },
  get problems() { return problems; },
  get isConnected() { return connection.isOpen; },
  get isPresenting() { return headset?.isPresenting ?? false; },
  get parameters() { return panel.parameters; },
  get shapes() { return world?.shapes ?? null; },
  get tool() { return palette.tool; },
  /** Length of the tape [m], and the edges that the needle would take. */
  get tape() { return tape!.length; },
  get needle() { return strokes!.chosen; },
  get panels() { return flat.count; },
  get hand() { return pointer!.place.toArray(); },
  get windTip() { return wind!.group.visible ? wind!.tip.toArray() : null; },
  get marks() { return marks!.count; },
  get waterMeshes() { return waterSurfaces.group.children.length; },
  vertex: (body: string, index: number) => view(body).vertex(index).toArray(),
  normal: (body: string, index: number) => view(body).normal(index).toArray(),
  screen: (body: string, index: number): number[] => probe.project(view(body).vertex(index).toArray()),
  project(place: [number, number, number]) {
    const point = new Vector3(...place).project(stage!.camera);
    const box = stage!.renderer.domElement.getBoundingClientRect();
    return [box.left + ((point.x + 1) / 2) * box.width, box.top + ((1 - point.y) / 2) * box.height];
  },
  camera: () => [...stage!.camera.position.toArray(), ...stage!.controls.target.toArray()],
  rig: () => stage!.rig.localToWorld(new Vector3()).toArray(),
  get rigScale() { return stage!.rig.scale.x; },
  fieldAim: (id: string) => headset!.fieldAim(id),
  boardAim: (right: number, down: number) => headset!.boardAim(right, down),
  get boardList() { return headset!.boardList; },
  boardAnswer: (name: string) => headset!.boardAnswer(name),
  get lastPulse() { return headset!.lastPulse; },
  /** Triangles of all surfaces as they are drawn now. */
  get clothTriangles() { return bodies!.views.reduce((sum, each) => sum + (each instanceof SurfaceView ? each.drawnTriangles : 0), 0); },
  /** Draw at once, shadows too. */
  redraw: () => ((stage!.renderer.shadowMap.needsUpdate = true), stage!.render()),
  frameView: (azimuth: number, elevation: number) => stage!.frame(azimuth, elevation),
};
Object.assign(window, { studio: probe });
