// Cloth and skins: fabric on two sides, one round of subdivision, colours of strain.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, Mesh,
  MeshLambertMaterial, MeshPhysicalMaterial, MeshStandardMaterial, Raycaster, Sphere, Vector3,
} from "three";
import type { Material } from "three";
import { BodyView } from "./body_view";
import type { Hit, Look, Shared } from "./body_view";
import type { World } from "./decode";
import type { BodyShape } from "./protocol";
import { subdivided, subdividePoints } from "./subdivide";
import { glsl, SUN } from "./sun";

/** A coarse grid has about this many points along its shorter side. */
const COARSE_SIDE = 45;
/** Meshes with more triangles are fine enough as they are. */
const MOST_SUBDIVIDED = 24_000;
const MOST_SUBDIVIDED_LOW = 8_000;
/** Up to so many triangles they are no burden even where drawing is slow, and without them small meshes look stained. */
const MOST_EASY = 4_000;

/** What stands for the highest pressure, as the strain of a point is packed. */
const FULL_PRESSURE = 32767;

function clothMaterial(shape: BodyShape, look: Look, shared: Shared): Material {
  const fabric = look.fabrics.get(shape.fabric);
  const options = {
    side: DoubleSide, map: fabric.map, flatShading: shape.kind === "lattice", alphaTest: fabric.hasHoles ? 0.3 : 0,
  };
  const material = look.isLow
    ? new MeshLambertMaterial(options)
    : new MeshPhysicalMaterial({
        ...options,
        bumpMap: fabric.relief,
        bumpScale: fabric.reliefScale,
        roughness: fabric.roughness,
        metalness: fabric.metalness,
        sheen: fabric.sheen,
        sheenRoughness: fabric.sheenRoughness,
        sheenColor: new Color(shape.colour).lerp(new Color("#ffffff"), 0.25),
      });
  material.shadowSide = DoubleSide;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.front = { value: new Color(shape.colour) };
    shader.uniforms.back = { value: new Color(shape.back_colour) };
    shader.uniforms.strainView = shared.strainView;
    shader.uniforms.strainScale = shared.strainScale;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute float strain;\nvarying float vStrain;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvStrain = strain;")
      // What keeps a surface from shading itself moves it along its normal; on the back of cloth that led into its own shadow.
      .replace(
        "#include <shadowmap_vertex>",
        `transformedNormal = faceforward(transformedNormal, (viewMatrix * vec4(${glsl(SUN.clone().negate())}, 0.0)).xyz, transformedNormal);
        #include <shadowmap_vertex>`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        uniform vec3 front; uniform vec3 back; uniform float strainView; uniform float strainScale;
        varying float vStrain;
        vec3 strainColour(float s) {
          vec3 c0 = vec3(0.05, 0.12, 0.42), c1 = vec3(0.02, 0.46, 0.62), c2 = vec3(0.30, 0.68, 0.20);
          vec3 c3 = vec3(0.95, 0.66, 0.05), c4 = vec3(0.78, 0.05, 0.04);
          float x = clamp(s, 0.0, 1.0) * 4.0;
          return x < 1.0 ? mix(c0, c1, x) : x < 2.0 ? mix(c1, c2, x - 1.0)
            : x < 3.0 ? mix(c2, c3, x - 2.0) : mix(c3, c4, x - 3.0);
        }`,
      )
      .replace(
        "#include <map_fragment>",
        `#include <map_fragment>
        vec3 cloth = diffuseColor.rgb * (gl_FrontFacing ? front : back);
        diffuseColor.rgb = mix(cloth, strainColour(vStrain * strainScale) * (0.6 + 0.4 * diffuseColor.r), strainView);`,
      );
  };
  return material;
}

export class SurfaceView extends BodyView {
  private readonly mesh: Mesh;
  /** The mesh as it is simulated: what hands feel, and what wireframes show. */
  private readonly plain = new BufferGeometry();
  /** What is drawn where there is time for it; null if the mesh is fine enough. */
  private readonly smooth: SmoothGeometry | null;
  private readonly buffer: InterleavedBuffer;
  /** Four numbers each, as those of positions. */
  private readonly normalAttribute: BufferAttribute;
  private readonly allTriangles: BufferAttribute;
  private readonly fewTriangles: BufferAttribute | null;
  /** Uniforms of a body that has no strain, and shows how cloth presses on it. */
  private readonly own: Shared | null;
  private pressures: number[] | null = null;
  private isCoarse = false;
  private isWireframe = false;

  constructor(shape: BodyShape, world: World, look: Look, shared: Shared) {
    super(shape);
    this.buffer = new InterleavedBuffer(new Int16Array(4 * shape.points), 4).setUsage(DynamicDrawUsage);
    this.normalAttribute = new BufferAttribute(new Int16Array(4 * shape.points), 4, true).setUsage(DynamicDrawUsage);
    this.allTriangles = new BufferAttribute(world.indices(shape.triangles), 1);
    this.fewTriangles = coarseTriangles(shape);
    const flat = world.floats(shape.coordinates);
    this.plain.setIndex(this.allTriangles);
    // Four numbers, of which shaders read three: graphics interfaces convert what is not a multiple of four bytes.
    this.plain.setAttribute("position", new InterleavedBufferAttribute(this.buffer, 4, 0, true));
    this.plain.setAttribute("strain", new InterleavedBufferAttribute(this.buffer, 1, 3, true));
    this.plain.setAttribute("normal", this.normalAttribute);
    this.plain.setAttribute("uv", new BufferAttribute(flat, 2));
    // Packed positions fill a cube of side 2, wherever the body is; curved edges rise a little out of it.
    this.plain.boundingSphere = new Sphere(new Vector3(), 1.1 * Math.sqrt(3));
    const isSmooth = shape.kind === "cloth" && shape.triangles.count / 3 <= (look.isLow ? MOST_SUBDIVIDED_LOW : MOST_SUBDIVIDED);
    this.smooth = isSmooth ? new SmoothGeometry(this.allTriangles.array, flat, shape.points, this.plain.boundingSphere) : null;
    this.own = shape.kind === "puppet" ? { strainView: { value: 0 }, strainScale: { value: 1 } } : null;
    this.mesh = new Mesh(this.drawn, clothMaterial(shape, look, this.own ?? shared));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.group.add(this.mesh);
  }

  private get drawn(): BufferGeometry {
    const isSpared = this.isCoarse && this.shape.triangles.count / 3 > MOST_EASY;
    return this.smooth && !isSpared && !this.isWireframe ? this.smooth.geometry : this.plain;
  }

  override update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    super.update(points, normals, x, y, z, half);
    if (this.pressures) for (let n = 0, p = 3; p < points.length; n++, p += 4) points[p] = ((this.pressures[n] ?? 0) / 255) * FULL_PRESSURE;
    this.buffer.array = points;
    this.buffer.needsUpdate = true;
    this.normalAttribute.array = normals;
    this.normalAttribute.needsUpdate = true;
    if (this.drawn !== this.plain) this.smooth!.update(points, normals);
    this.mesh.position.copy(this.centre);
    this.mesh.scale.setScalar(half);
    this.mesh.updateMatrixWorld();
  }

  /** Let what lies below be seen. */
  setGhost(isOn: boolean): void {
    const material = this.mesh.material as Material;
    if (material.transparent === isOn) return;
    material.transparent = isOn;
    material.opacity = isOn ? 0.28 : 1;
    material.depthWrite = !isOn;
    material.needsUpdate = true;
  }

  /** Colour by these pressures, 0 to 255 for each vertex, or as usual. Tells whether it can be. */
  setPressure(values: number[] | null): boolean {
    if (!this.own) return false;
    this.pressures = values;
    this.own.strainView.value = values ? 1 : 0;
    return true;
  }

  override setCoarse(isOn: boolean): void {
    this.isCoarse = isOn;
    this.show();
  }

  setWireframe(isOn: boolean): void {
    this.isWireframe = isOn;
    (this.mesh.material as MeshStandardMaterial).wireframe = isOn;
    this.show();
  }

  private show(): void {
    const { drawn } = this;
    this.plain.setIndex((this.isCoarse && this.fewTriangles) || this.allTriangles);
    if (this.mesh.geometry === drawn) return;
    this.mesh.geometry = drawn;
    if (drawn !== this.plain && this.points.length) this.smooth!.update(this.points, this.normals);
  }

  get drawnTriangles(): number {
    return this.mesh.geometry.index!.count / 3;
  }

  get triangles(): ArrayLike<number> {
    return this.allTriangles.array;
  }

  pick(raycaster: Raycaster): { distance: number; hit: Hit } | null {
    // Hands feel what is there, not what is drawn.
    const { geometry } = this.mesh;
    this.mesh.geometry = this.plain;
    this.plain.setIndex(this.allTriangles);
    const [found] = raycaster.intersectObject(this.mesh, false);
    this.mesh.geometry = geometry;
    this.show();
    if (!found?.face) return null;
    const { a, b, c } = found.face;
    const corners = [a, b, c];
    const weights = barycentric(found.point, this.vertex(a), this.vertex(b), this.vertex(c));
    const order = [0, 1, 2].sort((i, j) => weights[j] - weights[i]);
    const hit = {
      body: this.shape.name,
      isSolid: false,
      point: found.point,
      vertices: order.map((n) => corners[n]),
      weights: order.map((n) => weights[n]),
    };
    return { distance: found.distance, hit };
  }

  override dispose(): void {
    super.dispose();
    this.plain.dispose();
    this.smooth?.geometry.dispose();
  }
}

/** The mesh after one round of subdivision. */
class SmoothGeometry {
  readonly geometry = new BufferGeometry();
  private readonly ends: Uint32Array;
  private readonly buffer: InterleavedBuffer;
  private readonly normals: BufferAttribute;

  constructor(triangles: ArrayLike<number>, flat: Float32Array, pointCount: number, sphere: Sphere) {
    const fine = subdivided(triangles, pointCount);
    this.ends = fine.ends;
    const count = pointCount + fine.ends.length / 2;
    this.buffer = new InterleavedBuffer(new Float32Array(4 * count), 4).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Int16Array(4 * count), 4, true).setUsage(DynamicDrawUsage);
    const places = new Float32Array(2 * count);
    places.set(flat);
    for (let e = 0, w = flat.length; e < fine.ends.length; e += 2, w += 2) {
      const i = 2 * fine.ends[e], j = 2 * fine.ends[e + 1];
      places[w] = 0.5 * (flat[i] + flat[j]);
      places[w + 1] = 0.5 * (flat[i + 1] + flat[j + 1]);
    }
    this.geometry.setIndex(new BufferAttribute(fine.triangles, 1));
    this.geometry.setAttribute("position", new InterleavedBufferAttribute(this.buffer, 4, 0));
    this.geometry.setAttribute("strain", new InterleavedBufferAttribute(this.buffer, 1, 3));
    this.geometry.setAttribute("normal", this.normals);
    this.geometry.setAttribute("uv", new BufferAttribute(places, 2));
    this.geometry.boundingSphere = sphere;
  }

  update(points: Int16Array, normals: Int16Array): void {
    subdividePoints(points, normals, this.ends, this.buffer.array as Float32Array, this.normals.array as Int16Array);
    this.buffer.needsUpdate = this.normals.needsUpdate = true;
  }
}

/** Fewer triangles for a grid that is finer than can be seen where drawing is slow; null if it is not. */
function coarseTriangles({ columns, points }: BodyShape): BufferAttribute | null {
  const rows = columns && points / columns;
  const stride = Math.floor(Math.min(columns, rows) / COARSE_SIDE);
  if (stride < 2) return null;
  const places = (count: number): number[] => [...Array(Math.ceil((count - 1) / stride)).keys()].map((n) => n * stride).concat(count - 1);
  const across = places(columns), down = places(rows);
  const few: number[] = [];
  for (let r = 1; r < down.length; r++) {
    for (let c = 1; c < across.length; c++) {
      const a = down[r - 1] * columns + across[c - 1], b = down[r - 1] * columns + across[c];
      const d = down[r] * columns + across[c - 1], e = down[r] * columns + across[c];
      if ((r + c) % 2) few.push(a, d, b, b, d, e);
      else few.push(a, d, e, a, e, b);
    }
  }
  return new BufferAttribute(new Uint32Array(few), 1);
}

function barycentric(p: Vector3, a: Vector3, b: Vector3, c: Vector3): number[] {
  const ab = b.clone().sub(a), ac = c.clone().sub(a), ap = p.clone().sub(a);
  const d00 = ab.dot(ab), d01 = ab.dot(ac), d11 = ac.dot(ac), d20 = ap.dot(ab), d21 = ap.dot(ac);
  const divisor = d00 * d11 - d01 * d01;
  if (!(Math.abs(divisor) > 1e-20)) return [1, 0, 0];
  const v = Math.min(1, Math.max(0, (d11 * d20 - d01 * d21) / divisor));
  const w = Math.min(1 - v, Math.max(0, (d00 * d21 - d01 * d20) / divisor));
  return [1 - v - w, v, w];
}
