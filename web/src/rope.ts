// Ropes: one smooth tube along all points, with strands that wind around it.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, MeshLambertMaterial, MeshStandardMaterial, Ray, Raycaster, Vector3,
} from "three";
import { BodyView } from "./body_view";
import type { Hit, Look } from "./body_view";
import type { World } from "./decode";
import type { BodyShape } from "./protocol";

/** Rings between two points. */
const RINGS = 4;
const STRANDS = 3;
/** Radii of the rope that a strand takes for one turn. */
const PITCH = 9;

/** Points in order along each rope of a body: cut ropes have several, a loop begins anywhere. */
export function pathsOf(edges: ArrayLike<number>): number[][] {
  const around = new Map<number, number[]>();
  const join = (a: number, b: number): void => void (around.get(a) ?? around.set(a, []).get(a)!).push(b);
  for (let e = 0; e < edges.length; e += 2) (join(edges[e], edges[e + 1]), join(edges[e + 1], edges[e]));
  const used = new Set<string>();
  const key = (a: number, b: number): string => (a < b ? `${a},${b}` : `${b},${a}`);
  const walk = (from: number): number[] => {
    const path = [from];
    for (;;) {
      const at = path[path.length - 1];
      const next = around.get(at)!.find((other) => !used.has(key(at, other)));
      if (next === undefined) return path;
      used.add(key(at, next));
      path.push(next);
      if (around.get(next)!.length !== 2) return path;
    }
  };
  const starts = [...around.keys()].sort((a, b) => Number(around.get(a)!.length === 2) - Number(around.get(b)!.length === 2));
  const paths: number[][] = [];
  for (const start of starts) {
    for (let path = walk(start); path.length > 1; path = walk(start)) paths.push(path);
  }
  return paths;
}

function ropeMaterial(shape: BodyShape, isLow: boolean): MeshLambertMaterial | MeshStandardMaterial {
  const material = isLow ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.85 });
  material.color = new Color(shape.colour);
  // The grooves between the strands are drawn, not modelled: darker, and with the normal turned into them.
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec2 winding;\nattribute vec3 around;\nvarying vec2 vWinding;\nvarying vec3 vAround;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWinding = winding;\nvAround = normalMatrix * around;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vWinding;\nvarying vec3 vAround;")
      .replace("#include <color_fragment>", `#include <color_fragment>
        float strand = (vWinding.x + vWinding.y) * ${STRANDS.toFixed(1)};
        float inStrand = fract(strand) - 0.5;
        float fade = 1.0 - smoothstep(0.2, 0.6, fwidth(strand));
        diffuseColor.rgb *= 1.0 - 0.55 * fade * smoothstep(0.25, 0.5, abs(inStrand));`)
      .replace("#include <normal_fragment_maps>", `#include <normal_fragment_maps>
        normal = normalize(normal + 1.1 * fade * inStrand * normalize(vAround));`);
  };
  return material;
}

export class RopeView extends BodyView {
  private readonly paths: number[][];
  private readonly sides: number;
  private readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial | MeshStandardMaterial>;
  private readonly places: Float32Array;
  private readonly normalsOut: Float32Array;
  private readonly around: Float32Array;

  constructor(shape: BodyShape, world: World, look: Look) {
    super(shape);
    this.paths = pathsOf(world.indices(shape.edges));
    this.sides = look.isLow ? 7 : 12;
    const rings = this.paths.reduce((sum, path) => sum + (path.length - 1) * RINGS + 1, 0);
    const count = rings * (this.sides + 1);
    this.places = new Float32Array(3 * count);
    this.normalsOut = new Float32Array(3 * count);
    this.around = new Float32Array(3 * count);
    const winding = new Float32Array(2 * count);
    const corners: number[] = [];
    let ring = 0;
    for (const path of this.paths) {
      const own = (path.length - 1) * RINGS + 1;
      for (let r = 0; r < own; r++, ring++) {
        for (let s = 0; s <= this.sides; s++) {
          const n = ring * (this.sides + 1) + s;
          winding[2 * n] = s / this.sides;
          if (r + 1 < own && s < this.sides) corners.push(n, n + 1, n + this.sides + 1, n + 1, n + this.sides + 2, n + this.sides + 1);
        }
      }
    }
    const geometry = new BufferGeometry();
    const attribute = (name: string, array: Float32Array, size: number): void =>
      void geometry.setAttribute(name, new BufferAttribute(array, size).setUsage(DynamicDrawUsage));
    attribute("position", this.places, 3);
    attribute("normal", this.normalsOut, 3);
    attribute("around", this.around, 3);
    attribute("winding", winding, 2);
    geometry.setIndex(corners);
    this.mesh = new Mesh(geometry, ropeMaterial(shape, look.isLow));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.group.add(this.mesh);
  }

  override update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    super.update(points, normals, x, y, z, half);
    const { places, normalsOut, around, sides } = this;
    const winding = this.mesh.geometry.getAttribute("winding").array as Float32Array;
    const radius = this.shape.radius;
    let n = 0;
    for (const path of this.paths) {
      const knots = path.map((vertex) => this.vertex(vertex));
      const side = new Vector3(), up = new Vector3(), along = new Vector3(), before = new Vector3(), at = new Vector3();
      let length = 0;
      const last = (path.length - 1) * RINGS;
      for (let r = 0; r <= last; r++) {
        const first = Math.min(Math.floor(r / RINGS), path.length - 2), part = r / RINGS - first;
        curve(knots, first, part, at, along);
        if (r === 0) {
          side.set(1, 0, 0);
          if (Math.abs(along.x) > 0.8) side.set(0, 0, 1);
        } else {
          length += at.distanceTo(before);
        }
        // Carried along with the least turning, so that strands wind evenly.
        side.addScaledVector(along, -side.dot(along)).normalize();
        up.crossVectors(along, side);
        before.copy(at);
        // Ends are rounded off.
        const thin = r === 0 || r === last ? 0.35 : 1;
        for (let s = 0; s <= sides; s++, n++) {
          const angle = (2 * Math.PI * s) / sides, c = Math.cos(angle), d = Math.sin(angle);
          const nx = c * side.x + d * up.x, ny = c * side.y + d * up.y, nz = c * side.z + d * up.z;
          places[3 * n] = at.x + thin * radius * nx; places[3 * n + 1] = at.y + thin * radius * ny; places[3 * n + 2] = at.z + thin * radius * nz;
          normalsOut[3 * n] = nx; normalsOut[3 * n + 1] = ny; normalsOut[3 * n + 2] = nz;
          around[3 * n] = c * up.x - d * side.x; around[3 * n + 1] = c * up.y - d * side.y; around[3 * n + 2] = c * up.z - d * side.z;
          winding[2 * n + 1] = length / (PITCH * radius);
        }
      }
    }
    for (const name of ["position", "normal", "around", "winding"]) this.mesh.geometry.getAttribute(name).needsUpdate = true;
  }

  pick(raycaster: Raycaster, nearness: number): { distance: number; hit: Hit } | null {
    return nearestToRay(this, raycaster.ray, nearness);
  }

  setWireframe(isOn: boolean): void {
    this.mesh.material.wireframe = isOn;
  }
}

/** Place and direction on a smooth curve through all knots (Catmull-Rom), a part of the way from one to the next. */
function curve(knots: Vector3[], first: number, part: number, place: Vector3, along: Vector3): void {
  const b = knots[first], c = knots[first + 1];
  const a = knots[first - 1] ?? b, d = knots[first + 2] ?? c;
  const t = part, t2 = t * t, t3 = t2 * t;
  for (const axis of ["x", "y", "z"] as const) {
    const m = 0.5 * (c[axis] - a[axis]), k = 0.5 * (d[axis] - b[axis]), step = c[axis] - b[axis];
    place[axis] = b[axis] + m * t + (3 * step - 2 * m - k) * t2 + (m + k - 2 * step) * t3;
    along[axis] = m + 2 * (3 * step - 2 * m - k) * t + 3 * (m + k - 2 * step) * t2;
  }
  if (along.lengthSq() < 1e-20) along.subVectors(c, b);
  along.normalize();
}

/** Thin things are hard to hit: take the point nearest to the ray, if it is near enough on the screen. */
export function nearestToRay(view: BodyView, ray: Ray, nearness: number): { distance: number; hit: Hit } | null {
  const place = new Vector3();
  let best = -1, bestAngle = nearness, bestDistance = 0;
  for (let n = 0; n < view.shape.points; n++) {
    view.vertex(n, place);
    const distance = place.distanceTo(ray.origin);
    const off = Math.max(0, ray.distanceToPoint(place) - view.shape.radius);
    if (off / distance < bestAngle) (bestAngle = off / distance), (best = n), (bestDistance = distance);
  }
  if (best < 0) return null;
  const hit = { body: view.shape.name, isSolid: false, point: view.vertex(best), vertices: [best], weights: [1] };
  return { distance: bestDistance, hit };
}
