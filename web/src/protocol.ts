// Written by scripts/protocol_twin.py from supple/studio/connection/protocol.py. Change that instead.

export const VERSION = 5;
export const IN_FLIGHT = 3;
export const LONGEST_STROKE = 240;
export const GEOMETRY = 1;
export const FRAME = 2;
export const STRAIN_UNIT = 0.0001;
export const HAS_STRAIN = 1;
export const CLOSE_BAD_LINK = 4401;
export const CLOSE_BAD_HELLO = 4400;
export const CLOSE_CROWDED = 4429;

export type Value = boolean | number | string | number[];

/** A line drawn on one body, in places that move with it: what was aimed at is what is meant, however it moves. */
export interface SurfacePath {
  body: string;
  /** Vertices of the triangle that each place lies in; thrice the same for a body without triangles. */
  corners: [number, number, number][];
  /** Where in the triangle each place lies: parts of its corners, summing to 1. */
  weights: [number, number, number][];
  /** Whether the line came onto the body over its border. */
  from_beside: boolean;
  /** Whether it left the body over its border. */
  to_beside: boolean;
}

/** A scene that can be loaded. */
export interface SceneChoice {
  name: string;
  title: string;
  /** Heading it stands under. */
  group: string;
  /** Address of its picture, if it has one. */
  picture: string | null;
  /** Which paper it repeats as printed, such as `desbrun-1999`; empty if none. */
  paper: string;
}

/** Something a panel can change. */
export interface Parameter {
  /** Unique name, such as `cloth.damping`. */
  name: string;
  /** Heading it stands under. */
  group: string;
  label: string;
  kind: "number" | "integer" | "choice" | "switch" | "vector";
  unit: string;
  /** One sentence on what it does. */
  help: string;
  /** Left end of a slider. */
  low: number | null;
  /** Right end of a slider. */
  high: number | null;
  /** Whether the slider goes by factors; a `low` of 0 then is its own stop at the left end. */
  is_logarithmic: boolean;
  choices: string[];
  /** Whether its group starts unfolded. */
  is_open: boolean;
  /** What it is now. */
  value: boolean | number | string | number[];
}

/** Something a panel can ask for, with an answer. */
export interface Action {
  /** Unique name, such as `count_intersections`. */
  name: string;
  /** Heading it stands under. */
  group: string;
  label: string;
  /** One sentence on what it does. */
  help: string;
}

/** Where an array lies behind the text of a geometry message. */
export interface ArrayPlace {
  /** Bytes from the first array. */
  offset: number;
  /** Numbers in it. */
  count: number;
}

/** A body that deforms. */
export interface BodyShape {
  name: string;
  /** cloth, chain, lattice, network, ... */
  kind: string;
  points: number;
  /** uint32, three vertices each. */
  triangles: ArrayPlace;
  /** Points in a row of a cloth that is a whole grid, whose points come row by row; 0 for any other body. */
  columns: number;
  /** uint32, two vertices each; only for bodies without triangles. */
  edges: ArrayPlace;
  /** float32, two for each point: place on the flat cloth [m]. */
  coordinates: ArrayPlace;
  /** Radius to draw a body without triangles with [m]. */
  radius: number;
  /** The garment that it is a panel of, or "". */
  garment: string;
  /** float32, x and y of the loops round a panel that nobody has cut [m], NaN after each; none for any other body. */
  outline: ArrayPlace;
  /** What it looks like close by: silk, cotton, wool, denim, knit, rubber or mail. */
  fabric: string;
  /** Such as "#c23b4e". */
  colour: string;
  /** Colour of the other side. */
  back_colour: string;
}

/** A rigid mesh: it stands or moves whole. */
export interface SolidShape {
  name: string;
  kind: string;
  /** float32, three coordinates each [m]. */
  vertices: ArrayPlace;
  /** uint32, three vertices each. */
  triangles: ArrayPlace;
  /** Whether a hand can take it. */
  is_movable: boolean;
  colour: string;
}

/** A region of water, cut off where nobody would look. */
export interface WaterShape {
  name: string;
  /** Its low corner [m]. */
  low: [number, number, number];
  /** Its high corner, at the height of the surface [m]. */
  high: [number, number, number];
  /** Velocity of the water [m/s]. */
  current: [number, number, number];
}

/** From where to look at a scene when it opens. */
export interface Outlook {
  /** 0 is from +z, growing towards +x [rad]. */
  azimuth: number;
  /** Above the horizon [rad]. */
  elevation: number;
  /** From the middle of the scene [m]; None is where all of it is seen. */
  distance: number | null;
}

/** Shapes of a world, and from where to look at it. */
export interface Geometry {
  /** Name of the scene: as long as it stays, so does the camera. */
  scene: string;
  /** None is the usual one. */
  outlook: Outlook | null;
  bodies: BodyShape[];
  solids: SolidShape[];
  waters: WaterShape[];
  /** Middle of it all at the start [m]. */
  centre: [number, number, number];
  /** Extents of a box around it all [m]. */
  size: [number, number, number];
  /** Of a ball around it all [m]. */
  radius: number;
  /** Height of the ground to draw [m]. */
  floor: number;
}

/** First words of a page. */
export interface Hello {
  type: "hello";
  /** The page's `VERSION`. */
  version: number;
  /** The secret of the link. */
  token: string;
}

/** A frame has been taken in. */
export interface Ack {
  type: "ack";
  frame: number;
}

/** What this page shows, so that nothing is computed in vain. */
export interface View {
  type: "view";
  /** Whether it colours by strain. */
  strain: boolean;
  /** Whether it colours whoever wears something by how that presses. */
  pressure?: boolean;
}

/** A hand takes hold of a body or a solid. */
export interface Grab {
  type: "grab";
  /** Which hand of this page; each holds one thing. */
  hand: number;
  body: string;
  /** Vertices of the patch taken; none for solids. */
  vertices: number[];
  /** Where on the patch the hand is: parts of its vertices, summing to 1. */
  weights: number[];
  /** Where the hand is [m]. */
  target: [number, number, number];
  /** When, by the page's clock [s]. */
  time: number;
}

/** A hand that holds something moves. */
export interface Move {
  type: "move";
  hand: number;
  /** Where the hand is [m]. */
  target: [number, number, number];
  /** How far it has turned since it took hold, x, y, z, w; None is not at all. */
  turn?: [number, number, number, number] | null;
  /** When, by the page's clock [s]. */
  time: number;
}

/** A hand lets go; what it held flies on as fast as the hand moved. */
export interface Release {
  type: "release";
  hand: number;
  /** When, by the page's clock [s]. */
  time: number;
}

/** A hand wants to be told what it feels, or no longer: a `touch` after every frame while it holds something. */
export interface Feel {
  type: "feel";
  hand: number;
  value: boolean;
}

/** Pin a vertex, or free those of the patch that are pinned. */
export interface TogglePin {
  type: "toggle_pin";
  body: string;
  /** Vertices near the place meant, nearest first. */
  vertices: number[];
}

/** A knife is led along paths, or scissors along the edges nearest to them. */
export interface Cut {
  type: "cut";
  /** World that the vertices belong to. */
  world: number;
  paths: SurfacePath[];
  /** Whether no triangle is split. */
  along_edges: boolean;
}

/** A needle joins the edges nearest to two paths. */
export interface Sew {
  type: "sew";
  world: number;
  first: SurfacePath;
  second: SurfacePath;
}

/** A brush lets what it passes over shrink, or grow. */
export interface Shrink {
  type: "shrink";
  world: number;
  paths: SurfacePath[];
  /** Of the brush, along the cloth [m]. */
  radius: number;
  /** Rest lengths in the end over those now [-]. */
  ratio: number;
}

/** An eraser takes away what it passes over. */
export interface Erase {
  type: "erase";
  world: number;
  paths: SurfacePath[];
  /** Of the eraser, along the cloth [m]. */
  radius: number;
}

/** Ask which edges a needle would take along a path, which is still being drawn. */
export interface Trace {
  type: "trace";
  /** World that the vertices belong to. */
  world: number;
  path: SurfacePath;
}

/** Lay a tape along a body, over some of its vertices. */
export interface Measure {
  type: "measure";
  /** World that the vertices belong to. */
  world: number;
  body: string;
  vertices: number[];
}

/** Write the panels of a garment down as they are now, sizes and cuts among them, for download. */
export interface SavePattern {
  type: "save_pattern";
  garment: string;
  form: "json" | "svg" | "dxf";
}

/** Write everything down that was done, for download and replay. */
export interface SaveScript {
  type: "save_script";
}

/** Change a declared parameter. */
export interface Set {
  type: "set";
  name: string;
  value: boolean | number | string | number[];
}

/** Carry out a declared action. */
export interface Act {
  type: "act";
  name: string;
}

/** Take the last edit, pin or change of a parameter back. */
export interface Undo {
  type: "undo";
}

/** Do again what was taken back last. */
export interface Redo {
  type: "redo";
}

/** Stop the clock, or let it run. */
export interface Pause {
  type: "pause";
  value: boolean;
}

/** Let time pass more slowly, or as usual again. */
export interface Speed {
  type: "speed";
  /** Simulated time over real time [-], where frames can be computed as fast. */
  value: number;
}

/** Compute one frame and pause. */
export interface Step {
  type: "step";
}

/** Start the scene again, with the parameters as they are. */
export interface Reset {
  type: "reset";
}

/** Show another scene of those offered. */
export interface Load {
  type: "load";
  scene: string;
}

/** Bring about the scene and the parameters of a shared link. */
export interface Apply {
  type: "apply";
  share: string;
}

/** Start or end a recording on the server. */
export interface Recording {
  type: "record";
  value: boolean;
}

/** Answer to `hello`. */
export interface Welcome {
  type: "welcome";
  version: number;
  /** Number of this client. */
  client: number;
  /** Version of supple. */
  software: string;
}

/** Everything the panel offers, in the order to show. */
export interface Parameters {
  type: "parameters";
  parameters: Parameter[];
  actions: Action[];
}

/** Parameters that have changed. */
export interface Values {
  type: "values";
  values: Record<string, boolean | number | string | number[]>;
}

/** What came of an action, for the page that asked. */
export interface Answer {
  type: "answer";
  /** Of the action. */
  name: string;
  text: string;
  /** Where to look [m]. */
  places: [number, number, number][];
}

/** Where the studio stands; sent whenever it changes. */
export interface State {
  type: "state";
  /** Name among the scenes offered. */
  scene: string;
  title: string;
  description: string;
  scenes: SceneChoice[];
  is_paused: boolean;
  is_recording: boolean;
  clients: number;
  can_undo: boolean;
  can_redo: boolean;
  /** What undo would take back, in a few words, or "". */
  undo_label: string;
  /** What redo would do again, in a few words, or "". */
  redo_label: string;
  /** What to put behind the `#` of a link to get here. */
  share: string;
  /** Pinned vertices by body. */
  pins: Record<string, number[]>;
  /** Frames per simulated second [1/s]. */
  frame_rate: number;
  /** Simulated time over real time [-]; less than 1 is slow motion. */
  speed: number;
}

/** Something must be ready before frames come; `total` 0 is the end of it. */
export interface Compiling {
  type: "compiling";
  /** The server starts, the world is built, distance maps are built, a start is untangled, kernels are compiled. */
  stage: "start" | "world" | "maps" | "untangling" | "kernels";
  done: number;
  total: number;
  /** Kernel, or obstacle whose map is built; "" if there is no name to tell. */
  name: string;
  /** Time left, about [s]; 0 if nobody knows. */
  seconds: number;
}

/** What the last frames did and cost; several times a second. */
export interface Report {
  type: "report";
  frame: number;
  /** Simulated time [s]. */
  time: number;
  /** Mean cost of a frame [ms]. */
  milliseconds: number;
  /** The same by stage [ms]. */
  stages: Record<string, number>;
  /** Frames computed per second of real time [1/s]. */
  rate: number;
  points: number;
  contacts: number;
  /** Largest length over rest length [-]. */
  max_stretch: number;
  /** [J] */
  kinetic_energy: number;
  /** [J] */
  potential_energy: number;
  /** Length of the linear momentum [kg·m/s]. */
  momentum: number;
  /** Length of the angular momentum about the origin [kg·m²/s]. */
  angular_momentum: number;
  /** Frames since the last report that took longer than their budget. */
  late: number;
  /** How the last frame went: ok, substepped, softened, held-back, diverged. */
  status: string;
  /** Nodes in use of every level of detail, the coarsest first; empty if no body has several. */
  level_nodes: number[];
  /** Largest force of soft bodies on any obstacle in the last frame [N]. */
  tool_force: number;
  /** Largest share of the budget that a frame took since the last report [-]; 0 if there is none. */
  budget_used: number;
}

/** What a hand feels after a frame, as a model for a force loop; for the page that asked by `feel`. */
export interface Touch {
  type: "touch";
  hand: number;
  frame: number;
  /** Simulated time [s]. */
  time: number;
  /** On the hand in this frame [N]. */
  force: [number, number, number];
  /** A point of the surface as if nothing pressed on it; for something held, where its spring is at rest [m]. */
  point: [number, number, number];
  /** Unit vector out of the surface; null if something is held, which pulls to every side. */
  normal: [number, number, number] | null;
  /** Force over depth, or over distance from `point` [N/m]; 0 where nothing is near. */
  stiffness: number;
}

/** Edges that a needle would take, for the page that asked. */
export interface Traced {
  type: "traced";
  world: number;
  body: string;
  /** Along the edges; none if there is no way. */
  vertices: number[];
  /** What is wrong with it, or "". */
  text: string;
}

/** The shortest way along a body over some places, for the page that asked. */
export interface Tape {
  type: "tape";
  world: number;
  body: string;
  /** Those it was laid over. */
  vertices: number[];
  /** [m] */
  length: number;
  /** Where it lies [m]. */
  points: [number, number, number][];
}

/** How cloth presses on an obstacle or a puppet, for pages that show it. */
export interface Pressure {
  type: "pressure";
  world: number;
  body: string;
  /** What 255 stands for [Pa]. */
  most: number;
  /** One for each vertex of its surface. */
  values: number[];
}

/** Something is written down for the page that asked. */
export interface Saved {
  type: "saved";
  /** File name, to download under `/recordings/`. */
  name: string;
  /** What it is, in a sentence. */
  text: string;
}

/** A message was refused, or something went wrong. */
export interface Problem {
  type: "problem";
  /** Type of the message refused, or "" if none. */
  about: string;
  text: string;
}

/** A recording is complete. */
export interface Recorded {
  type: "recorded";
  /** File name, to download under `/recordings/`. */
  name: string;
  frames: number;
  /** Bytes. */
  size: number;
  /** Endings, such as ".usd", under which the server offers the same recording, made when it is asked for. */
  also: string[];
}

/** What was done is written down. */
export interface ScriptSaved {
  type: "script_saved";
  /** File name, to download under `/recordings/`. */
  name: string;
  /** Things that were done. */
  entries: number;
  /** Whether replaying it gives the same; some settings and things moved by hand cannot be written down. */
  is_complete: boolean;
}

/** The server stops. */
export interface Goodbye {
  type: "goodbye";
  text: string;
}

export type ClientMessage =
  | Hello
  | Ack
  | View
  | Grab
  | Move
  | Release
  | Feel
  | TogglePin
  | Cut
  | Sew
  | Shrink
  | Erase
  | Trace
  | Measure
  | SavePattern
  | SaveScript
  | Set
  | Act
  | Undo
  | Redo
  | Pause
  | Speed
  | Step
  | Reset
  | Load
  | Apply
  | Recording;

export type ServerMessage =
  | Welcome
  | Parameters
  | Values
  | Answer
  | State
  | Compiling
  | Report
  | Touch
  | Traced
  | Tape
  | Pressure
  | Saved
  | Problem
  | Recorded
  | ScriptSaved
  | Goodbye;
