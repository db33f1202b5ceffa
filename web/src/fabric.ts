// Fabrics close by: threads as shade and relief, laid out by the places of the flat cloth, so that they show stretch.
import { CanvasTexture, LinearMipmapLinearFilter, RepeatWrapping, SRGBColorSpace } from "three";
import type { Texture } from "three";

export interface Fabric {
  /** Shade of the threads, to be multiplied with the colour of the cloth; clear where there is a hole. */
  map: Texture | null;
  /** Their height. */
  relief: Texture | null;
  reliefScale: number;
  roughness: number;
  metalness: number;
  /** Light that fine hair throws back at grazing angles. */
  sheen: number;
  sheenRoughness: number;
  hasHoles: boolean;
}

/** Shade, height and cover of a fabric at a place of its tile, all from 0 to 1. */
type Threads = (x: number, y: number) => { shade: number; height: number; cover?: number };

const PIXELS = 512;

/** A number from 0 to 1 that looks random but is always the same for a thread. */
function chance(n: number, m = 0): number {
  const s = Math.sin(127.1 * n + 311.7 * m) * 43758.5453;
  return s - Math.floor(s);
}

const round = (across: number): number => Math.sqrt(Math.max(0, 1 - 4 * across * across));

/** Woven cloth of `count` threads a side; `isWarpOnTop` tells which of two crossing threads is seen. */
function woven(
  count: number,
  isWarpOnTop: (column: number, row: number) => boolean,
  shadeOf: (isWarp: boolean, thread: number, other: number) => number,
): Threads {
  return (x, y) => {
    const column = Math.floor(x * count), row = Math.floor(y * count);
    const u = x * count - column - 0.5, v = y * count - row - 0.5;
    const isWarp = isWarpOnTop(column, row);
    const across = isWarp ? u : v;
    // A thread dives where the next one crosses over it.
    const isDivingBefore = isWarp ? !isWarpOnTop(column, row - 1) : isWarpOnTop(column - 1, row);
    const isDivingAfter = isWarp ? !isWarpOnTop(column, row + 1) : isWarpOnTop(column + 1, row);
    const along = isWarp ? v : u;
    const dive = (along < 0 ? isDivingBefore : isDivingAfter) ? 4 * along * along : 0;
    const height = round(across) * (1 - 0.45 * dive);
    return { shade: (0.8 + 0.2 * height) * shadeOf(isWarp, isWarp ? column : row, isWarp ? row : column), height };
  };
}

/** Two bands in another shade, as in a windowpane check. */
const band = (thread: number, of: number): number => {
  const n = thread % of;
  return n < 3 ? 1 : n === 5 ? 0.5 : 0;
};

const melange = (isWarp: boolean, thread: number, other: number, strength: number): number =>
  1 - strength * chance(thread + (isWarp ? 0 : 500)) - 0.6 * strength * chance(thread, Math.floor(other / 3) + (isWarp ? 9 : 77));

/** Stitches in columns of small hearts. */
const knitted: Threads = (x, y) => {
  const count = 24;
  const column = Math.floor(x * count), u = x * count - column;
  const side = Math.abs(u - 0.5);
  const v = (((y * count + 1.1 * side) % 1) + 1) % 1;
  const yarn = round(v - 0.5) * Math.min(1, 3.2 * (0.5 - Math.abs(side - 0.25) * 1.7));
  return { shade: 0.72 + 0.28 * yarn, height: yarn };
};

/** Rings of wire, each through its neighbours. */
const rings: Threads = (x, y) => {
  const count = 8, wire = 0.17;
  let height = 0;
  for (let row = -1; row <= count; row++) {
    const cy = (row + 0.5) / count;
    if (Math.abs(cy - y) > 0.12) continue;
    for (let column = -1; column <= count; column++) {
      const cx = (column + (((row % 2) + 2) % 2 ? 1 : 0.5)) / count;
      const dx = (x - cx) * count, dy = (y - cy) * count;
      const off = (Math.hypot(dx, dy) - 0.58) / wire;
      if (Math.abs(off) < 1) height = Math.max(height, Math.sqrt(1 - off * off) * (0.75 + 0.25 * (dx > 0 ? 1 : -1) * (row % 2 ? 1 : -1)));
    }
  }
  return { shade: 0.55 + 0.45 * height, height, cover: height > 0.02 ? 1 : 0 };
};

const plain = (column: number, row: number): boolean => (column + row) % 2 === 0;
const twill = (column: number, row: number): boolean => (((column + row) % 4) + 4) % 4 !== 0;
const herringbone = (column: number, row: number): boolean => {
  const way = Math.floor(column / 12) % 2 ? row : -row;
  return (((column + way) % 4) + 4) % 4 < 2;
};
const satin = (column: number, row: number): boolean => (((column + 3 * row) % 8) + 8) % 8 !== 0;

interface Recipe extends Omit<Fabric, "map" | "relief" | "hasHoles"> {
  threads: Threads | null;
  /** Side of a tile on the cloth [m]. */
  tile: number;
}

const RECIPES: Record<string, Recipe> = {
  silk: { threads: woven(96, satin, (isWarp, n, m) => melange(isWarp, n, m, 0.05)), tile: 0.06, reliefScale: 0.35, roughness: 0.52, metalness: 0, sheen: 0.2, sheenRoughness: 0.35 },
  cotton: { threads: woven(64, plain, (isWarp, n, m) => melange(isWarp, n, m, 0.06) * (0.88 + 0.12 * band(n, 64) + 0.03 * band(m, 64))), tile: 0.1, reliefScale: 0.9, roughness: 0.86, metalness: 0, sheen: 0.18, sheenRoughness: 0.6 },
  wool: { threads: woven(48, herringbone, (isWarp, n, m) => melange(isWarp, n, m, 0.16) * (isWarp ? 1 : 0.86)), tile: 0.1, reliefScale: 1.5, roughness: 0.95, metalness: 0, sheen: 0.5, sheenRoughness: 0.75 },
  denim: { threads: woven(64, twill, (isWarp, n, m) => melange(isWarp, n, m, 0.14) * (isWarp ? 0.86 : 1)), tile: 0.08, reliefScale: 1.4, roughness: 0.9, metalness: 0, sheen: 0.1, sheenRoughness: 0.6 },
  knit: { threads: knitted, tile: 0.08, reliefScale: 2, roughness: 0.92, metalness: 0, sheen: 0.35, sheenRoughness: 0.7 },
  rubber: { threads: null, tile: 1, reliefScale: 0, roughness: 0.46, metalness: 0, sheen: 0, sheenRoughness: 1 },
  mail: { threads: rings, tile: 0.08, reliefScale: 1.5, roughness: 0.4, metalness: 0.55, sheen: 0, sheenRoughness: 1 },
};

function texture(tile: number, anisotropy: number, pixel: (data: Uint8ClampedArray, at: number, x: number, y: number) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(PIXELS, PIXELS);
  for (let y = 0; y < PIXELS; y++) for (let x = 0; x < PIXELS; x++) pixel(image.data, 4 * (y * PIXELS + x), (x + 0.5) / PIXELS, (y + 0.5) / PIXELS);
  context.putImageData(image, 0, 0);
  const made = new CanvasTexture(canvas);
  made.wrapS = made.wrapT = RepeatWrapping;
  made.repeat.set(1 / tile, 1 / tile);
  made.minFilter = LinearMipmapLinearFilter;
  made.anisotropy = anisotropy;
  return made;
}

/** The fabrics of one page, made when they are first seen. */
export class Fabrics {
  private readonly made = new Map<string, Fabric>();

  constructor(private readonly anisotropy: number, private readonly isLow: boolean) {}

  get(name: string): Fabric {
    let fabric = this.made.get(name);
    if (!fabric) this.made.set(name, (fabric = this.make(RECIPES[name] ?? RECIPES.cotton)));
    return fabric;
  }

  private make({ threads, tile, ...look }: Recipe): Fabric {
    if (!threads) return { ...look, map: null, relief: null, hasHoles: false };
    const hasHoles = threads(0, 0).cover !== undefined;
    const map = texture(tile, this.anisotropy, (data, at, x, y) => {
      const { shade, cover = 1 } = threads(x, y);
      data.fill(255 * Math.min(1, shade), at, at + 3);
      data[at + 3] = 255 * cover;
    });
    map.colorSpace = SRGBColorSpace;
    const relief = this.isLow ? null : texture(tile, this.anisotropy, (data, at, x, y) => {
      data.fill(255 * threads(x, y).height, at, at + 3);
      data[at + 3] = 255;
    });
    return { ...look, map, relief, hasHoles };
  }
}
