// Draws what the server simulates: surfaces, ropes, rigid meshes and pins.
import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, DynamicDrawUsage, FrontSide, Group,
  InstancedMesh, InterleavedBuffer, InterleavedBufferAttribute, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshLambertMaterial, MeshPhysicalMaterial, MeshStandardMaterial, Quaternion, Ray, Raycaster, Sphere,
  SphereGeometry, Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Material, Texture } from "three";
import type { Frame, World } from "./decode";
import type { BodyShape } from "./protocol";
import { glsl, SUN } from "./sun";

const FULL = 32767;
/** Above this many springs a body without triangles is drawn with thin lines. */
const MOST_TUBES = 4000;
/** A coarse grid has about this many points along its shorter side. */
const COARSE_SIDE = 45;

export interface Hit {
  body: string;
  isSolid: boolean;
  point: Vector3;
  /** Nearest first. */
  vertices: number[];
  weights: number[];
}

export interface Look {
  weave: Texture;
  isLow: boolean;
}

interface Shared {
  strainView: { value: number };
  strainScale: { value: number };
}

function clothMaterial(shape: BodyShape, look: Look, shared: Shared): Material {
  const isCloth = shape.kind === "cloth";
  const options = { side: DoubleSide, map: isCloth ? look.weave : null, flatShading: shape.kind === "lattice" };
  const material = look.isLow
    ? new MeshLambertMaterial(options)
    : new MeshPhysicalMaterial({
        ...options,
        roughness: isCloth ? 0.82 : 0.5,
        sheen: isCloth ? 0.55 : 0,
        sheenRoughness: 0.45,
        sheenColor: new Color(shape.colour).lerp(new Color("#ffffff"), 0.55),
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

abstract class BodyView {
  readonly group = new Group();
  readonly centre = new Vector3();
  half = 1;
  points: Int16Array = new Int16Array(0);
  normals: Int16Array = new Int16Array(0);

  constructor(readonly shape: BodyShape) {}

  update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    this.points = points;
    this.normals = normals;
    this.centre.set(x, y, z);
    this.half = half;
  }

  vertex(index: number, into = new Vector3()): Vector3 {
    const f = this.half / FULL;
    return into
      .set(this.points[4 * index] * f, this.points[4 * index + 1] * f, this.points[4 * index + 2] * f)
      .add(this.centre);
  }

  /** Unit normal of a surface at a vertex. */
  normal(index: number): Vector3 {
    const [x, y, z] = this.normals.subarray(4 * index, 4 * index + 3);
    return new Vector3(x, y, z).divideScalar(FULL);
  }

  abstract pick(raycaster: Raycaster, nearness: number): { distance: number; hit: Hit } | null;
  abstract setWireframe(isOn: boolean): void;

  /** Draw fewer triangles where there are very many, or all of them. */
  setCoarse(_isOn: boolean): void {}

  nearest(place: Vector3): { vertex: number; distance: number } {
    let vertex = -1, best = Infinity;
    const f = FULL / this.half;
    const x = (place.x - this.centre.x) * f, y = (place.y - this.centre.y) * f, z = (place.z - this.centre.z) * f;
    const points = this.points;
    for (let n = 0, p = 0; p < points.length; n++, p += 4) {
      const dx = points[p] - x, dy = points[p + 1] - y, dz = points[p + 2] - z;
      const d = dx * dx + dy * dy + dz * dz;
      if (d < best) (best = d), (vertex = n);
    }
    return { vertex, distance: Math.sqrt(best) / f };
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh || object instanceof LineSegments) {
        object.geometry.dispose();
        (object.material as Material).dispose();
      }
    });
  }
}

class SurfaceView extends BodyView {
  private readonly mesh: Mesh;
  private readonly buffer: InterleavedBuffer;
  /** Four numbers each, as those of positions. */
  private readonly normalAttribute: BufferAttribute;
  private readonly allTriangles: BufferAttribute;
  private readonly fewTriangles: BufferAttribute | null;

  constructor(shape: BodyShape, world: World, look: Look, shared: Shared) {
    super(shape);
    this.buffer = new InterleavedBuffer(new Int16Array(4 * shape.points), 4).setUsage(DynamicDrawUsage);
    this.normalAttribute = new BufferAttribute(new Int16Array(4 * shape.points), 4, true).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    this.allTriangles = new BufferAttribute(world.indices(shape.triangles), 1);
    this.fewTriangles = coarseTriangles(shape);
    geometry.setIndex(this.allTriangles);
    // Four numbers, of which shaders read three: graphics interfaces convert what is not a multiple of four bytes.
    geometry.setAttribute("position", new InterleavedBufferAttribute(this.buffer, 4, 0, true));
    geometry.setAttribute("strain", new InterleavedBufferAttribute(this.buffer, 1, 3, true));
    geometry.setAttribute("normal", this.normalAttribute);
    geometry.setAttribute("uv", new BufferAttribute(world.floats(shape.coordinates), 2));
    // Packed positions fill a cube of side 2, wherever the body is.
    geometry.boundingSphere = new Sphere(new Vector3(), Math.sqrt(3));
    this.mesh = new Mesh(geometry, clothMaterial(shape, look, shared));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.group.add(this.mesh);
  }

  override update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    super.update(points, normals, x, y, z, half);
    this.buffer.array = points;
    this.buffer.needsUpdate = true;
    this.normalAttribute.array = normals;
    this.normalAttribute.needsUpdate = true;
    this.mesh.position.copy(this.centre);
    this.mesh.scale.setScalar(half);
    this.mesh.updateMatrixWorld();
  }

  override setCoarse(isOn: boolean): void {
    this.mesh.geometry.setIndex((isOn && this.fewTriangles) || this.allTriangles);
  }

  get triangles(): ArrayLike<number> {
    return this.allTriangles.array;
  }

  pick(raycaster: Raycaster): { distance: number; hit: Hit } | null {
    const drawn = this.mesh.geometry.index;
    this.setCoarse(false); // hands feel what is there, not what is drawn
    const [found] = raycaster.intersectObject(this.mesh, false);
    this.mesh.geometry.setIndex(drawn);
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

  setWireframe(isOn: boolean): void {
    (this.mesh.material as MeshStandardMaterial).wireframe = isOn;
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

/** A chain or a network: tubes between balls, or thin lines if there are too many. */
class RopeView extends BodyView {
  private readonly edges: Uint32Array;
  private tubes: InstancedMesh | null = null;
  private balls: InstancedMesh | null = null;
  private lines: LineSegments | null = null;

  constructor(shape: BodyShape, world: World, look: Look) {
    super(shape);
    this.edges = world.indices(shape.edges);
    const colour = new Color(shape.colour);
    const count = this.edges.length / 2;
    if (count <= MOST_TUBES) {
      const make = (): Material =>
        look.isLow ? new MeshLambertMaterial({ color: colour }) : new MeshStandardMaterial({ color: colour, roughness: 0.6 });
      const tube = new CylinderGeometry(1, 1, 1, look.isLow ? 6 : 12, 1, true);
      const ball = new SphereGeometry(1, look.isLow ? 6 : 14, look.isLow ? 4 : 10);
      this.tubes = new InstancedMesh(tube, make(), Math.max(1, count));
      this.balls = new InstancedMesh(ball, make(), Math.max(1, shape.points));
      for (const mesh of [this.tubes, this.balls]) {
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.frustumCulled = false;
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.group.add(mesh);
      }
    } else {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * shape.points), 3).setUsage(DynamicDrawUsage));
      geometry.setIndex(new BufferAttribute(this.edges, 1));
      this.lines = new LineSegments(geometry, new LineBasicMaterial({ color: colour }));
      this.lines.frustumCulled = false;
      this.group.add(this.lines);
    }
  }

  override update(points: Int16Array, normals: Int16Array, x: number, y: number, z: number, half: number): void {
    super.update(points, normals, x, y, z, half);
    const f = half / FULL;
    if (this.lines) {
      const attribute = this.lines.geometry.getAttribute("position") as BufferAttribute;
      const array = attribute.array as Float32Array;
      for (let n = 0, p = 0, q = 0; n < this.shape.points; n++, p += 4, q += 3) {
        array[q] = points[p] * f + x; array[q + 1] = points[p + 1] * f + y; array[q + 2] = points[p + 2] * f + z;
      }
      attribute.needsUpdate = true;
      return;
    }
    const radius = this.shape.radius;
    const a = new Vector3(), b = new Vector3(), middle = new Vector3(), along = new Vector3();
    const up = new Vector3(0, 1, 0), turn = new Quaternion(), scale = new Vector3(), matrix = new Matrix4();
    for (let e = 0; e < this.edges.length; e += 2) {
      this.vertex(this.edges[e], a);
      this.vertex(this.edges[e + 1], b);
      along.subVectors(b, a);
      const length = along.length();
      turn.setFromUnitVectors(up, along.divideScalar(length || 1));
      matrix.compose(middle.addVectors(a, b).multiplyScalar(0.5), turn, scale.set(radius, length, radius));
      this.tubes!.setMatrixAt(e / 2, matrix);
    }
    turn.identity();
    const isChain = this.shape.kind === "chain";
    const size = isChain ? radius * 1.02 : radius * 1.7;
    for (let n = 0; n < this.shape.points; n++) {
      this.balls!.setMatrixAt(n, matrix.compose(this.vertex(n, a), turn, scale.setScalar(size)));
    }
    this.tubes!.instanceMatrix.needsUpdate = this.balls!.instanceMatrix.needsUpdate = true;
  }

  pick(raycaster: Raycaster, nearness: number): { distance: number; hit: Hit } | null {
    // Thin things are hard to hit: take the point nearest to the ray, if it is near enough on the screen.
    const ray: Ray = raycaster.ray;
    const place = new Vector3();
    let best = -1, bestAngle = nearness, bestDistance = 0;
    for (let n = 0; n < this.shape.points; n++) {
      this.vertex(n, place);
      const distance = place.distanceTo(ray.origin);
      const off = Math.max(0, ray.distanceToPoint(place) - this.shape.radius);
      if (off / distance < bestAngle) (bestAngle = off / distance), (best = n), (bestDistance = distance);
    }
    if (best < 0) return null;
    const hit = { body: this.shape.name, isSolid: false, point: this.vertex(best), vertices: [best], weights: [1] };
    return { distance: bestDistance, hit };
  }

  setWireframe(isOn: boolean): void {
    for (const mesh of [this.tubes, this.balls]) if (mesh) (mesh.material as MeshStandardMaterial).wireframe = isOn;
  }
}

/** Everything of one world. */
export class Bodies {
  readonly group = new Group();
  readonly views: BodyView[] = [];
  private readonly solids: Mesh[] = [];
  private readonly shared: Shared = { strainView: { value: 0 }, strainScale: { value: 3.2767 / 0.1 } };
  private pins: InstancedMesh;
  private pinned: { view: BodyView; vertex: number }[] = [];
  private readonly pinSize: number;
  time = 0;
  frame = -1;

  constructor(readonly world: World, look: Look) {
    for (const shape of world.shapes.bodies) {
      const view = shape.triangles.count ? new SurfaceView(shape, world, look, this.shared) : new RopeView(shape, world, look);
      this.views.push(view);
      this.group.add(view.group);
    }
    for (const shape of world.shapes.solids) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(world.floats(shape.vertices), 3));
      geometry.setIndex(new BufferAttribute(world.indices(shape.triangles), 1));
      const creased = toCreasedNormals(geometry, 0.6);
      geometry.dispose();
      const material = look.isLow
        ? new MeshLambertMaterial({ color: shape.colour })
        : new MeshStandardMaterial({ color: shape.colour, roughness: 0.55, side: FrontSide });
      const mesh = new Mesh(creased, material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.name = shape.name;
      mesh.visible = shape.kind !== "floor";
      this.solids.push(mesh);
      this.group.add(mesh);
    }
    this.pinSize = Math.min(0.03, 0.012 * world.shapes.radius + 0.002);
    this.pins = this.pinMesh(1);
    this.group.visible = false; // where things are is told by the first frame
  }

  private pinMesh(count: number): InstancedMesh {
    const mesh = new InstancedMesh(new SphereGeometry(1, 12, 8), new MeshStandardMaterial({ color: "#f2b33d", roughness: 0.4 }), count);
    mesh.frustumCulled = false;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  setPins(pins: Record<string, number[]>): void {
    this.pinned = this.views.flatMap((view) => (pins[view.shape.name] ?? []).map((vertex) => ({ view, vertex })));
    if (this.pinned.length > this.pins.instanceMatrix.count) {
      this.group.remove(this.pins);
      this.pins.dispose();
      this.pins = this.pinMesh(this.pinned.length);
    }
    this.pins.count = this.pinned.length;
    this.placePins();
  }

  private placePins(): void {
    const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion();
    const many = this.pinned.length > 24 ? 0.55 : 1;
    const scale = new Vector3().setScalar(this.pinSize * many);
    this.pinned.forEach(({ view, vertex }, n) => {
      if (view.points.length) this.pins.setMatrixAt(n, matrix.compose(view.vertex(vertex, place), turn, scale));
    });
    this.pins.instanceMatrix.needsUpdate = true;
  }

  update(frame: Frame): void {
    this.time = frame.time;
    this.frame = frame.frame;
    this.group.visible = true;
    let first = 0;
    this.views.forEach((view, n) => {
      const [x, y, z, half] = frame.boxes.subarray(4 * n, 4 * n + 4);
      const last = first + 4 * view.shape.points;
      view.update(frame.points.subarray(first, last), frame.normals.subarray(first, last), x, y, z, half);
      first = last;
    });
    this.solids.forEach((mesh, n) => {
      const p = frame.poses.subarray(7 * n, 7 * n + 7);
      mesh.position.set(p[0], p[1], p[2]);
      mesh.quaternion.set(p[3], p[4], p[5], p[6]);
      mesh.updateMatrixWorld();
    });
    this.placePins();
  }

  /** What the ray meets first; `nearness` is the angle [rad] within which thin things count as met. */
  pick(raycaster: Raycaster, nearness: number): Hit | null {
    let best: { distance: number; hit: Hit } | null = null;
    for (const view of this.views) {
      if (!view.points.length) continue;
      const found = view.pick(raycaster, nearness);
      if (found && (!best || found.distance < best.distance)) best = found;
    }
    const [solid] = raycaster.intersectObjects(this.solids.filter((mesh) => mesh.visible), false);
    if (solid && (!best || solid.distance < best.distance)) {
      const shape = this.world.shapes.solids.find((candidate) => candidate.name === solid.object.name);
      if (!shape?.is_movable) return null;
      return { body: solid.object.name, isSolid: true, point: solid.point, vertices: [], weights: [] };
    }
    return best?.hit ?? null;
  }

  /** How far away the first solid is that a ray meets [m]. */
  solidDistance(raycaster: Raycaster): number {
    const [solid] = raycaster.intersectObjects(this.solids.filter((mesh) => mesh.visible), false);
    return solid?.distance ?? Infinity;
  }

  /** The solid around a place, if there is one that can be taken. */
  enclosing(place: Vector3): Hit | null {
    const local = new Vector3();
    const found = this.solids.find((mesh, n) => {
      mesh.geometry.boundingBox ?? mesh.geometry.computeBoundingBox();
      return this.world.shapes.solids[n].is_movable && mesh.geometry.boundingBox!.containsPoint(mesh.worldToLocal(local.copy(place)));
    });
    return found ? { body: found.name, isSolid: true, point: place.clone(), vertices: [], weights: [] } : null;
  }

  /** The vertex nearest to a place, if it is within reach. */
  touch(place: Vector3, reach: number): Hit | null {
    let best: { view: BodyView; vertex: number; distance: number } | null = null;
    for (const view of this.views) {
      if (!view.points.length) continue;
      const found = view.nearest(place);
      if (found.distance < reach && (!best || found.distance < best.distance)) best = { view, ...found };
    }
    if (!best) return null;
    const { view, vertex } = best;
    return { body: view.shape.name, isSolid: false, point: view.vertex(vertex), vertices: [vertex], weights: [1] };
  }

  /** The surfaces of bodies that a frame has come for. */
  surfaces(): { body: string; triangles: ArrayLike<number>; vertex: (n: number, into: Vector3) => Vector3; count: number }[] {
    return this.views
      .filter((view): view is SurfaceView => view instanceof SurfaceView && view.points.length > 0)
      .map((view) => ({ body: view.shape.name, triangles: view.triangles, vertex: (n, into) => view.vertex(n, into), count: view.shape.points }));
  }

  /** Where a place on a body is now, given the vertices around it and their weights; null if there is no such body. */
  placeOf(body: string, corners: number[], weights: number[], into = new Vector3()): Vector3 | null {
    const view = this.views.find((candidate) => candidate.shape.name === body);
    if (!view || Math.max(...corners) >= view.shape.points || !view.points.length) return null;
    const corner = new Vector3();
    into.set(0, 0, 0);
    corners.forEach((vertex, n) => into.addScaledVector(view.vertex(vertex, corner), weights[n]));
    return into;
  }

  /** Where points of the bodies are now: all of small ones, some of large ones. */
  *places(): Generator<Vector3> {
    const place = new Vector3();
    for (const view of this.views) {
      const stride = Math.ceil(view.points.length / 4 / 500);
      for (let n = 0; n < view.points.length / 4; n += stride) yield view.vertex(n, place);
    }
  }

  setWireframe(isOn: boolean): void {
    for (const view of this.views) view.setWireframe(isOn);
  }

  setCoarse(isOn: boolean): void {
    for (const view of this.views) view.setCoarse(isOn);
  }

  /** Colour by strain; `full` is the strain of the hottest colour. */
  setStrain(isOn: boolean, full: number): void {
    this.shared.strainView.value = isOn ? 1 : 0;
    this.shared.strainScale.value = 3.2767 / full;
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
    for (const mesh of [...this.solids, this.pins]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
    }
  }
}
