// The worker beside the page: it holds the socket and makes frames ready to be drawn, normals included.
// What arrives by the hundred kilobytes never keeps the page's own thread from drawing.
import { kindOf, readFrame, readGeometry } from "./decode";
import { surfaceNormals } from "./normals";
import { GEOMETRY } from "./protocol";
import type { ClientMessage, ServerMessage } from "./protocol";
import { Socket } from "./socket";
import type { Trouble } from "./socket";

/** What the page says to this worker. */
export type ToFeed =
  | { kind: "connect"; address: string; token: string }
  | { kind: "send"; message: ClientMessage }
  /** A frame is taken in, drawn or not; normals that are needed no longer are to be written over. */
  | { kind: "taken"; frame: number; spare: ArrayBuffer | null };

/** What this worker says to the page. */
export type FromFeed =
  | { kind: "message"; message: ServerMessage }
  | { kind: "geometry"; buffer: ArrayBuffer }
  | { kind: "frame"; buffer: ArrayBuffer; normals: ArrayBuffer; milliseconds: number }
  | { kind: "trouble"; trouble: Trouble; reason: string };

/** A body with a surface: its numbers among all points, and its triangles. */
interface Surface {
  first: number;
  last: number;
  triangles: Uint32Array;
}

const MOST_SPARE = 4;

let socket: Socket | null = null;
let world = -1;
let surfaces: Surface[] = [];
let numberCount = 0;
let sums = new Float32Array(0);
let spare: ArrayBuffer[] = [];

const say = (message: FromFeed, transfer: Transferable[] = []): void => postMessage(message, { transfer });

function hearGeometry(buffer: ArrayBuffer): void {
  const { number, shapes, indices } = readGeometry(buffer);
  world = number;
  surfaces = [];
  numberCount = 0;
  let largest = 0;
  for (const shape of shapes.bodies) {
    const first = numberCount;
    numberCount += 4 * shape.points;
    if (!shape.triangles.count) continue;
    surfaces.push({ first, last: numberCount, triangles: indices(shape.triangles).slice() });
    largest = Math.max(largest, shape.points);
  }
  sums = new Float32Array(3 * largest);
  spare = [];
  say({ kind: "geometry", buffer }, [buffer]);
}

function hearFrame(buffer: ArrayBuffer): void {
  const started = performance.now();
  const frame = readFrame(buffer);
  const normals = spare.pop() ?? new ArrayBuffer(2 * numberCount);
  if (frame.world === world) {
    const all = new Int16Array(normals);
    for (const { first, last, triangles } of surfaces) {
      surfaceNormals(frame.points.subarray(first, last), triangles, sums, all.subarray(first, last));
    }
  }
  say({ kind: "frame", buffer, normals, milliseconds: performance.now() - started }, [buffer, normals]);
}

onmessage = ({ data }: MessageEvent<ToFeed>) => {
  if (data.kind === "send") return socket?.send(data.message);
  if (data.kind === "taken") {
    if (data.spare?.byteLength === 2 * numberCount && spare.length < MOST_SPARE) spare.push(data.spare);
    return socket?.send({ type: "ack", frame: data.frame });
  }
  socket = new Socket(data.address, data.token, {
    message: (message) => say({ kind: "message", message }),
    binary: (buffer) => (kindOf(buffer) === GEOMETRY ? hearGeometry(buffer) : hearFrame(buffer)),
    trouble: (trouble, reason) => say({ kind: "trouble", trouble, reason }),
  });
  socket.connect();
};
