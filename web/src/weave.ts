// A plain weave with a checked pattern, drawn once. Laid out by the places of the flat cloth, it shows stretch.
import { CanvasTexture, LinearMipmapLinearFilter, RepeatWrapping, SRGBColorSpace } from "three";

/** Side of one tile on the cloth [m]. */
export const TILE = 0.1;
const PIXELS = 512;
const THREADS = 32;

export function weaveTexture(anisotropy: number): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(PIXELS, PIXELS);
  const cell = PIXELS / THREADS;
  for (let y = 0; y < PIXELS; y++) {
    for (let x = 0; x < PIXELS; x++) {
      const column = Math.floor(x / cell), row = Math.floor(y / cell);
      const u = (x % cell) / cell - 0.5, v = (y % cell) / cell - 0.5;
      // Threads go over and under in turn; each is round, and dives towards its ends.
      const isWarpOnTop = (column + row) % 2 === 0;
      const across = isWarpOnTop ? u : v, along = isWarpOnTop ? v : u;
      const thread = 0.86 + 0.14 * Math.sqrt(Math.max(0, 1 - 4 * across * across)) - 0.07 * (4 * along * along);
      // Two bands of thread in another shade, as in a windowpane check.
      const band = (n: number): number => (n === 0 || n === 1 ? 1 : n === 3 ? 0.45 : 0);
      const check = isWarpOnTop ? band(column) : band(row);
      const halo = Math.max(band(column), band(row));
      const light = 255 * Math.min(1, thread * (0.89 + 0.16 * check + 0.04 * halo));
      const at = 4 * (y * PIXELS + x);
      image.data[at] = image.data[at + 1] = image.data[at + 2] = light;
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(1 / TILE, 1 / TILE);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = anisotropy;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
