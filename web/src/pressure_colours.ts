// Colours of pressure on whoever wears a garment: the same scale as that of strain, from 0 to 255.
import { BufferAttribute, Color } from "three";
import type { Mesh, MeshStandardMaterial } from "three";

const STEPS = ["#3f61ac", "#28b5ce", "#94d77c", "#f9d440", "#e43f37"].map((colour) => new Color(colour));

/** Colour each corner of a mesh without shared vertices; `null` gives it its own colour back. */
export function colourByPressure(mesh: Mesh, triangles: ArrayLike<number>, values: number[] | null, own: string): void {
  const material = mesh.material as MeshStandardMaterial;
  if (material.vertexColors !== (values !== null)) {
    material.vertexColors = values !== null;
    material.needsUpdate = true;
  }
  material.color.set(values ? "#ffffff" : own);
  if (!values) return;
  const colours = new Float32Array(3 * triangles.length), colour = new Color();
  for (let n = 0; n < triangles.length; n++) {
    const x = ((values[triangles[n]] ?? 0) / 255) * (STEPS.length - 1), k = Math.min(STEPS.length - 2, Math.floor(x));
    colour.copy(STEPS[k]).lerp(STEPS[k + 1], x - k).toArray(colours, 3 * n);
  }
  mesh.geometry.setAttribute("color", new BufferAttribute(colours, 3));
}
