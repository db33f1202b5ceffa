// Where the light comes from.
import { Vector3 } from "three";

/** Direction towards the sun. */
export const SUN = new Vector3(0.55, 1.25, 0.7).normalize();

/** A vector as a shader writes it. */
export const glsl = ({ x, y, z }: Vector3): string => `vec3(${[x, y, z].map((part) => part.toFixed(6)).join(", ")})`;
