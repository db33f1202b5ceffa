// Puts the page together: what comes from the server is shown, what hands do is sent.
import { Vector3 } from "three";
import { Bodies } from "./bodies";
import { Connection } from "./connection";
import type { Trouble } from "./connection";
import { readGeometry } from "./decode";
import type { Frame, World } from "./decode";
import { byId } from "./element";
import { Gallery } from "./gallery";
import { Hud, Plots } from "./hud";
import { Marks } from "./marks";
import { Palette } from "./palette";
import { Panel } from "./panel";
import type { Report, ServerMessage, State } from "./protocol";
import { Stage } from "./stage";
import type { Theme } from "./stage";
import { Strokes } from "./strokes";
import { banner, toast, Tools } from "./tools";
import { Touch } from "./touch";
import { Headset } from "./vr";
import { Waters } from "./water";
import { weaveTexture } from "./weave";
import { WindArrow } from "./wind";

const ICONS = {
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  play: "M7 4l13 8-13 8z",
  step: "M5 5l9 7-9 7zM16 5h3v14h-3z",
  reset: "M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  undo: "M9 7V3L2 9l7 6v-4c5 0 8 2 10 6 0-6-4-10-10-10z",
  redo: "M15 7V3l7 6-7 6v-4c-5 0-8 2-10 6 0-6 4-10 10-10z",
  record: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
  stop: "M6 6h12v12H6z",
  picture: "M9 4l-2 3H3v13h18V7h-4l-2-3zM12 9a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  script: "M6 2h9l5 5v15H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM14 3.500V8h4.500zM7.500 12v1.600h9V12zM7.500 15.200v1.600h9v-1.600zM7.500 18.400V20h6v-1.600z",
  share: "M17 3a3 3 0 1 1-2.2 5L9 11.2v1.6l5.800 3.200A3 3 0 1 1 14 18l-6-3.400A3 3 0 1 1 8 9.400L14 6a3 3 0 0 1 3-3z",
  frame: "M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z",
  wire: "M12 2l10 6v8l-10 6L2 16V8zM4 9.500v5l7 4.200v-5zM13 13.700v5l7-4.200v-5zM12 4.400L5.300 8.300 12 12.200l6.700-3.900z",
  strain: "M4 20V4h2v14h14v2zM8 16l4-7 3 4 4-8 1.800.9L15.500 17 12 12.500 9.800 17z",
  plots: "M3 3h2v16h16v2H3zM7 12h3v6H7zM12 8h3v10h-3zM17 5h3v13h-3z",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  headset: "M3 7h18a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-5l-2-3h-4l-2 3H3a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM7.500 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM16.500 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  help: "M11 18h2v2h-2zM12 4a5 5 0 0 1 5 5c0 3-4 3.500-4 6h-2c0-3.500 4-4 4-6a3 3 0 0 0-6 0H7a5 5 0 0 1 5-5z",
  hide: "M12 5c5 0 9 4 10 7-1 3-5 7-10 7S3 15 2 12c1-3 5-7 10-7zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
};

const query = new URLSearchParams(location.search);
const hash = new URLSearchParams(location.hash.slice(1));
const token = hash.get("token") ?? "";
const isShot = query.has("shot");

/** Whether there is no graphics card behind WebGL; then beauty must wait. */
function isDrawnInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const details = context?.getExtension("WEBGL_debug_renderer_info");
  const name = details ? String(context!.getParameter(details.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

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
    connection.send({ type: "view", strain: isStrain });
    if (!hasApplied && [...hash.keys()].some((key) => key === "scene" || key.startsWith("p."))) {
      const shared = new URLSearchParams(hash);
      shared.delete("token");
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
    touch?.releaseAll();
    banner(
      {
        lost: `${farewell ?? "The connection to the server is lost."} Trying again …`,
        "bad-link": "This link is wrong: its token does not belong to the running server. Open the link that “supple play” printed last.",
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
      hud.show(message, { drawn: drawnRate });
      plots.add(message);
      break;
    case "compiling": {
      const text = {
        start: "The server is starting …",
        world: "Building the world …",
        maps: `Measuring the distances around “${message.name}”, the first time only`,
        untangling: `Untangling the start: ${message.done} of ${message.total} edges are free`,
        kernels: `Compiling kernels, the first time only: ${message.name}`,
      }[message.stage];
      banner(message.total ? text : stage ? null : NO_WEBGL, message.total ? message : undefined);
      break;
    }
    case "problem":
      problems.push(message.text);
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
  const isNew = state === null || state.scene !== lastScene || bodies === null;
  const find = strokes?.keep();
  isFound = !find;
  findAgain = find ?? findAgain;
  if (bodies) {
    stage.scene.remove(bodies.group);
    bodies.dispose();
  }
  shown = null;
  marks?.show([]);
  bodies = new Bodies(world, { weave, isLow: stage.isLow });
  bodies.setWireframe(isWireframe);
  bodies.setStrain(isStrain, 0.1);
  stage.scene.add(bodies.group);
  const isSameShape = !isNew;
  stage.setWorld(world.shapes, !isSameShape);
  waters.setWorld(world.shapes, stage.isLow);
  wind?.setWorld(world.shapes);
  if (state) bodies.setPins(state.pins);
}

function showState(): void {
  if (!state) return;
  byId("scene-title").textContent = byId("scene-title").title = state.title;
  byId("scene-description").title = state.description;
  byId("scene-description").textContent = state.description;
  document.title = `${state.scene} · supple studio`;
  gallery.show(state.scenes, state.scene);
  bodies?.setPins(state.pins);
  if (stage) stage.isDirty = true;
  if (state.scene !== lastScene) {
    lastScene = state.scene;
    if (world) stage?.setWorld(world.shapes, true);
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
  if (!isFound) findAgain();
  isFound = true;
  waters.update(frame.time);
  updateMilliseconds += performance.now() - started;
  return true;
}

/** Fetch a file the server has made; `also` are endings of the formats it would make of it as well. */
async function download(name: string, done: string, also: string[] = []): Promise<void> {
  const answer = await fetch(`recordings/${encodeURIComponent(name)}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) {
    const reason = answer.status === 422 ? (await answer.text()).trim() : "";
    return toast(reason || `The file ${name} is on the server, but could not be fetched.`);
  }
  save(await answer.blob(), name);
  toast(done, also.map((ending) => {
    const other = name.replace(/\.[^.]+$/, ending);
    return { label: `also as ${ending}`, run: () => void download(other, `Downloaded ${other}`) };
  }));
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// ---------------------------------------------------------------- what people do

const send = connection.send.bind(connection);
const panel = new Panel(byId("panel"), (name, value) => send({ type: "set", name, value }), (name) => send({ type: "act", name }));
const hud = new Hud(byId("hud"));
const plots = new Plots(byId("plots"));
const gallery = new Gallery((scene) => send({ type: "load", scene }));
byId("open-gallery").addEventListener("click", () => gallery.open());

function shareLink(): void {
  if (!state) return;
  const link = new URL(location.href);
  link.hash = `token=${token}&${state.share}`;
  history.replaceState(null, "", link);
  const copied = navigator.clipboard?.writeText(link.href) ?? Promise.reject(new Error("no clipboard"));
  copied.then(
    () => toast("The link to this scene and its settings is in the clipboard."),
    () => toast("The address bar holds the link to this scene and its settings."),
  );
}

async function takePicture(): Promise<void> {
  if (!stage) return;
  bodies?.setCoarse(false);
  save(await stage.picture(), `${state?.scene ?? "supple"}-${(bodies?.time ?? 0).toFixed(2)}s.png`);
  toast("The picture is among the downloads.");
}

function toggleStrain(): void {
  isStrain = !isStrain;
  send({ type: "view", strain: isStrain });
  bodies?.setStrain(isStrain, 0.1);
  tools.press("strain", isStrain);
  byId("strain-key").hidden = !isStrain;
  if (stage) stage.isDirty = true;
}

function toggleWireframe(): void {
  isWireframe = !isWireframe;
  bodies?.setWireframe(isWireframe);
  tools.press("wire", isWireframe);
  if (stage) stage.isDirty = true;
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  stage?.setTheme(theme);
  try {
    localStorage.setItem("supple-theme", theme);
  } catch {
    // Private windows may refuse; the theme then lasts as long as the page.
  }
}

function storedTheme(): Theme {
  const wish = query.get("theme");
  if (wish === "dark" || wish === "light") return wish;
  try {
    const stored = localStorage.getItem("supple-theme");
    if (stored === "dark" || stored === "light") return stored;
  } catch {
    // As above.
  }
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

const theme = (): Theme => (document.documentElement.dataset.theme === "light" ? "light" : "dark");

const palette = new Palette(byId("palette"), byId("palette-options"), (tool) => {
  strokes?.cancel();
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
  { id: "pause", label: "Pause", key: " ", path: ICONS.pause, run: () => send({ type: "pause", value: !state?.is_paused }) },
  { id: "step", label: "One frame", key: ".", path: ICONS.step, run: () => send({ type: "step" }) },
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
  { id: "plots", label: "Plots", key: "o", path: ICONS.plots, run: togglePlots },
  { id: "theme", label: "Dark or light", key: "t", path: ICONS.theme, run: () => setTheme(theme() === "dark" ? "light" : "dark") },
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
for (const id of ["wire", "strain", "plots", "record"]) tools.press(id, false);

function toggleBare(): void {
  document.body.classList.toggle("bare");
  makeRoom();
}

/** Keep the middle of the scene in the middle of what is free. */
function makeRoom(): void {
  const panelBox = byId("panel").getBoundingClientRect();
  const isBeside = panelBox.width > 0 && panelBox.left > innerWidth / 2;
  stage?.cover(isBeside ? byId("palette").getBoundingClientRect().right : 0, isBeside ? innerWidth - panelBox.left : 0);
}

function togglePlots(): void {
  plots.toggle();
  tools.press("plots", plots.isOpen);
}

// ---------------------------------------------------------------- drawing

const weave = weaveTexture(stage && !stage.isLow ? Math.min(8, stage.renderer.capabilities.getMaxAnisotropy()) : 2);
const waters = new Waters();
stage?.scene.add(waters.group);
const wind = stage && !isShot ? new WindArrow(stage, (name, value) => send({ type: "set", name, value })) : null;
if (wind) stage?.scene.add(wind.group);
const marks = stage && new Marks(stage);
const strokes = stage && new Strokes(stage, () => bodies, palette, send, toast);
const touch = stage && new Touch(stage, () => bodies, send, (hit) => {
  byId("view").dataset.grabbed = hit ? hit.body : "";
  stage.hold(hit !== null);
}, () => palette.tool, strokes!);
const headset = stage && new Headset(stage, () => bodies, send, {
  buttons: {
    Pause: () => send({ type: "pause", value: !state?.is_paused }),
    "One frame": () => send({ type: "step" }),
    "Start again": () => send({ type: "reset" }),
    Undo: () => send({ type: "undo" }),
  },
  set: (name, value) => send({ type: "set", name, value }),
  act: (name) => send({ type: "act", name }),
}, wind);
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
  if (showNewest()) stage.isDirty = true;
  if (headset?.isPresenting) {
    headset.update();
    stage.isDirty = true;
  } else if (stage.controls.enabled) {
    stage.controls.update();
  }
  const now = performance.now();
  if (!stage.isDirty) {
    if (now - lastDrawn > STILL_MS) {
      bodies?.setCoarse(false);
      stage.sharpen();
    }
    return;
  }
  bodies?.setCoarse(stage.isCoarse && !isWireframe);
  stage.render();
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
setTheme(storedTheme());
if (isShot) {
  document.body.classList.add("shot");
  // A window has a frame and a smallest size; the picture is to have neither.
  Object.assign(byId("view").style, { inset: "auto", width: `${query.get("width")}px`, height: `${query.get("height")}px` });
  if (stage) stage.pixelRatio = 1;
  stage?.resize();
}
addEventListener("resize", makeRoom);
makeRoom();
if (token) connection.connect();
else banner("This link is wrong: it lacks its token. Open the link that “supple play” printed.");

// ---------------------------------------------------------------- for tests and for `supple shot`

async function sendPicture(azimuth: number, elevation: number): Promise<void> {
  stage!.frame(azimuth, elevation, bodies?.places());
  const picture = await stage!.picture();
  await fetch("picture", { method: "POST", body: picture, headers: { Authorization: `Bearer ${token}` } });
}

if (isShot && stage) {
  const timer = setInterval(() => {
    if (!bodies || bodies.frame < 0) return;
    clearInterval(timer);
    void sendPicture(Number(query.get("azimuth") ?? 0.5), Number(query.get("elevation") ?? 0.22));
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
  get hand() { return touch!.place.toArray(); },
  get windTip() { return wind!.group.visible ? wind!.tip.toArray() : null; },
  get marks() { return marks!.count; },
  get waterMeshes() { return waters.group.children.length; },
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
  boardAim: (right: number, down: number) => headset!.boardAim(right, down),
  get boardList() { return headset!.boardList; },
  boardAnswer: (name: string) => headset!.boardAnswer(name),
  frameView: (azimuth: number, elevation: number) => stage!.frame(azimuth, elevation),
};
Object.assign(window, { studio: probe });
