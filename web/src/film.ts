// Draws every frame of a recording that is asked for and sends the pixels back; nobody watches.
import { Bodies } from "./bodies";
import type { Frame } from "./decode";
import { byId } from "./element";
import { Fabrics } from "./fabric";
import { entered } from "./door";
import { outermostOf, pinsOf, Recording } from "./recording";
import { Stage } from "./stage";
import type { Theme } from "./stage";

const query = new URLSearchParams(location.search);
const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
/** Pictures being drawn or sent at a time; more would only fill the memory. */
const MOST_WAITING = 3;

/** A picture that is being drawn: the page goes on with the next while the pixels of this one are fetched. */
class Exposure {
  private readonly buffer: WebGLBuffer;
  private readonly fence: WebGLSync;

  constructor(private readonly gl: WebGL2RenderingContext, width: number, height: number, private readonly size = 4 * width * height) {
    this.buffer = gl.createBuffer()!;
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, size, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    gl.flush();
  }

  async pixels(): Promise<Uint8Array<ArrayBuffer>> {
    const gl = this.gl;
    while (gl.clientWaitSync(this.fence, 0, 0) === gl.TIMEOUT_EXPIRED) await new Promise((resolve) => setTimeout(resolve, 1));
    gl.deleteSync(this.fence);
    const pixels = new Uint8Array(this.size);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.buffer);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.deleteBuffer(this.buffer);
    return pixels;
  }
}

async function film(): Promise<void> {
  const width = number("width", 640), height = number("height", 400);
  Object.assign(byId("view").style, { width: `${width}px`, height: `${height}px` });
  const stage = new Stage(byId("view"), query.get("quality") === "low" ? "low" : "high");
  stage.setTheme((query.get("theme") ?? "dark") as Theme);
  stage.pixelRatio = 1;
  stage.resize();
  const fabrics = new Fabrics(stage.isLow ? 2 : 8, stage.isLow);
  const recording = new Recording(0);
  const context = stage.renderer.getContext() as WebGL2RenderingContext;
  const wanted = { count: number("count", 1), step: number("step", 1), last: number("last", 0) };
  const index = (picture: number): number => Math.min(wanted.last, Math.round(picture * wanted.step));
  let bodies: Bodies | null = null;
  let next: Promise<Frame> = recording.frame(index(0));
  const waiting: Promise<unknown>[] = [];
  for (let picture = 0; picture < wanted.count; picture++) {
    const frame = await next;
    if (picture + 1 < wanted.count) next = recording.frame(index(picture + 1));
    if (frame.world !== bodies?.world.number) {
      const world = await recording.world(frame.world);
      if (bodies) {
        stage.scene.remove(bodies.group);
        bodies.dispose();
      } else {
        stage.setWorld(world.shapes, true);
        stage.frame(number("azimuth", 0.5), number("elevation", 0.22), [], outermostOf(world));
      }
      bodies = new Bodies(world, { fabrics, isLow: stage.isLow });
      bodies.setPins(pinsOf(world));
      stage.scene.add(bodies.group);
    }
    bodies!.update(frame);
    // On a screen shadows may lag behind where drawing is slow; a film has all the time it needs.
    stage.renderer.shadowMap.needsUpdate = true;
    stage.render();
    const exposure = new Exposure(context, width, height);
    waiting.push(exposure.pixels().then((body) => fetch(`picture/${picture}`, { method: "POST", body })));
    if (waiting.length >= MOST_WAITING) await waiting.shift();
  }
  await Promise.all(waiting);
}

film().catch((trouble: unknown) => {
  void entered.then(() => fetch("picture/4294967295", { method: "POST", body: String(trouble) }));
});
