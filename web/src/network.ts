// Networks: tubes between balls, or thin lines if there are too many.
import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh, LineBasicMaterial, LineSegments,
  Matrix4, MeshLambertMaterial, MeshStandardMaterial, Quaternion, Raycaster, SphereGeometry, Vector3,
} from "three";
import type { Material } from "three";
import { BodyView, FULL } from "./body_view";
import type { Hit, Look } from "./body_view";
import type { World } from "./decode";
import type { BodyShape } from "./protocol";
import { nearestToRay } from "./rope";

/** Above this many springs a body without triangles is drawn with thin lines. */
const MOST_TUBES = 4000;

export class NetworkView extends BodyView {
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
    const size = radius * 1.7;
    for (let n = 0; n < this.shape.points; n++) {
      this.balls!.setMatrixAt(n, matrix.compose(this.vertex(n, a), turn, scale.setScalar(size)));
    }
    this.tubes!.instanceMatrix.needsUpdate = this.balls!.instanceMatrix.needsUpdate = true;
  }

  pick(raycaster: Raycaster, nearness: number): { distance: number; hit: Hit } | null {
    return nearestToRay(this, raycaster.ray, nearness);
  }

  setWireframe(isOn: boolean): void {
    for (const mesh of [this.tubes, this.balls]) if (mesh) (mesh.material as MeshStandardMaterial).wireframe = isOn;
  }
}
