// Draws what the server simulates: surfaces, ropes, rigid meshes and pins.
import {
  BufferAttribute, BufferGeometry, FrontSide, Group, InstancedMesh, Matrix4, Mesh, MeshLambertMaterial, MeshStandardMaterial,
  Object3D, Quaternion, Raycaster, SphereGeometry, Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Material } from "three";
import { colourByPressure } from "./pressure_colours";
import { FULL } from "./body_view";
import type { BodyView, Hit, Look, Shared } from "./body_view";
import type { Frame, World } from "./decode";
import { NetworkView } from "./network";
import { RopeView } from "./rope";
import { SurfaceView } from "./surface";

export type { Hit, Look } from "./body_view";

/** How much brighter something is while a pointer is over it. */
const SHINE = 0.06;

function shine(thing: Object3D, isOn: boolean): void {
  thing.traverse((part) => {
    const material = (part as Mesh).material as MeshStandardMaterial | undefined;
    material?.emissive?.setScalar(isOn ? SHINE : 0);
  });
}

/** Everything of one world. */
export class Bodies {
  readonly group = new Group();
  readonly views: BodyView[] = [];
  readonly solids: Mesh[] = [];
  private readonly shared: Shared = { strainView: { value: 0 }, strainScale: { value: 3.2767 / 0.1 } };
  private lit = "";
  private pins: InstancedMesh;
  private pinned: { view: BodyView; vertex: number }[] = [];
  private readonly pinSize: number;
  time = 0;
  frame = -1;

  constructor(readonly world: World, look: Look) {
    for (const shape of world.shapes.bodies) {
      const view = shape.triangles.count
        ? new SurfaceView(shape, world, look, this.shared)
        : shape.kind === "chain" ? new RopeView(shape, world, look) : new NetworkView(shape, world, look);
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
    this.pinSize = Math.min(0.015, 0.0065 * world.shapes.radius + 0.001);
    this.pins = this.pinMesh(1);
    this.group.visible = false; // where things are is told by the first frame
  }

  private pinMesh(count: number): InstancedMesh {
    const mesh = new InstancedMesh(new SphereGeometry(1, 12, 8), new MeshStandardMaterial({ color: "#e9b44c", roughness: 0.3 }), count);
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

  /** Whether there is anything to cut, sew or brush. */
  get surfacesOffered(): boolean {
    return this.views.some((view) => view instanceof SurfaceView);
  }

  /** Strain at every point of all surfaces [-]. */
  strains(): Float32Array {
    const surfaces = this.views.filter((view) => view instanceof SurfaceView);
    const found = new Float32Array(surfaces.reduce((sum, view) => sum + view.points.length / 4, 0));
    let n = 0;
    for (const { points } of surfaces) for (let p = 3; p < points.length; p += 4) found[n++] = (3.2767 * points[p]) / FULL;
    return found;
  }

  /** Let a body or a solid shine a little, and nothing else; "" lets nothing shine. Tells whether that is new. */
  light(name: string): boolean {
    if (name === this.lit) return false;
    this.lit = name;
    for (const { shape, group } of this.views) shine(group, shape.name === name);
    for (const solid of this.solids) shine(solid, solid.name === name);
    return true;
  }

  /** Colour by strain; `full` is the strain of the hottest colour. */
  setStrain(isOn: boolean, full: number): void {
    this.shared.strainView.value = isOn ? 1 : 0;
    this.shared.strainScale.value = 3.2767 / full;
  }

  /** Colour whoever wears something by how it presses, 0 to 255 for each vertex; `null` takes that away. */
  setPressure(body: string, values: number[] | null): void {
    const view = this.views.find((candidate) => candidate.shape.name === body);
    if (view instanceof SurfaceView) return void view.setPressure(values);
    const n = this.solids.findIndex((candidate) => candidate.name === body);
    if (n >= 0) colourByPressure(this.solids[n], this.world.indices(this.world.shapes.solids[n].triangles), values, this.world.shapes.solids[n].colour);
  }

  /** Let garments be seen through, to see what they press on. */
  setGhost(isOn: boolean): void {
    for (const view of this.views) if (view instanceof SurfaceView && view.shape.garment) view.setGhost(isOn);
  }

  /** Take all colours of pressure away. */
  clearPressure(): void {
    this.setGhost(false);
    for (const { shape } of [...this.views, ...this.world.shapes.solids.map((solid) => ({ shape: solid }))]) this.setPressure(shape.name, null);
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
    for (const mesh of [...this.solids, this.pins]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
    }
  }
}
