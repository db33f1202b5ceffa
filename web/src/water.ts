// Water as it is seen: a surface with small waves that run with the current, and a body of tinted glass below it.
// The waves are only drawn; what swims is computed by the server.
import {
  BoxGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, MeshPhysicalMaterial, PlaneGeometry,
} from "three";
import type { Material } from "three";
import type { Geometry, WaterShape } from "./protocol";

const SURFACE = "#5fa8bf";
const DEPTH = "#1d5a70";
/** Quads along the longer side of a surface. */
const CELLS = 96;

/** Waves are drawn in the shader, as slopes: four trains of different length that drift with the current. */
function addWaves(material: Material, time: { value: number }, shape: WaterShape, size: number): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.time = time;
    shader.uniforms.current = { value: [shape.current[0], shape.current[2]] };
    shader.uniforms.wave = { value: size };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>
        uniform float time; uniform vec2 current; uniform float wave;
        vec3 waves(vec2 place) {
          vec2 p = (place - current * time) / wave;
          vec3 sum = vec3(0.0);
          for (int n = 0; n < 4; n++) {
            float f = float(n);
            float angle = 1.9 * f + 0.6 * sin(3.1 * f);
            vec2 k = vec2(cos(angle), sin(angle)) * (5.0 + 3.7 * f);
            float phase = dot(k, p) + (1.6 + 0.5 * f) * time + 2.4 * f;
            float height = 0.022 / (1.0 + f);
            sum += height * vec3(sin(phase), k * cos(phase));
          }
          return sum;
        }`)
      .replace("#include <beginnormal_vertex>", `vec4 wavePlace = modelMatrix * vec4(position, 1.0);
        vec3 waveForm = waves(wavePlace.xz);
        vec3 objectNormal = normalize(vec3(-waveForm.y, 1.0, -waveForm.z));`)
      .replace("#include <begin_vertex>", "vec3 transformed = position + vec3(0.0, wave * 0.25 * waveForm.x, 0.0);");
  };
}

export class WaterSurfaces {
  readonly group = new Group();
  private readonly time = { value: 0 };

  /** Show the waters of a world instead of those before. */
  setWorld(shapes: Geometry, isLow: boolean): void {
    this.clear();
    for (const shape of shapes.waters) {
      const [x, y, z] = shape.high.map((high, axis) => high - shape.low[axis]);
      const [cx, cz] = [0.5 * (shape.low[0] + shape.high[0]), 0.5 * (shape.low[2] + shape.high[2])];
      const wave = Math.min(0.6 * shapes.radius, 0.5 * Math.max(x, z), 1.0);
      const longer = Math.max(x, z);
      const plane = new PlaneGeometry(x, z, Math.ceil((CELLS * x) / longer), Math.ceil((CELLS * z) / longer));
      plane.rotateX(-Math.PI / 2);
      const look = { color: SURFACE, transparent: true, opacity: 0.72, side: DoubleSide, depthWrite: false };
      const surface = isLow
        ? new MeshLambertMaterial(look)
        : new MeshPhysicalMaterial({ ...look, roughness: 0.12, metalness: 0.0, clearcoat: 0.6, specularIntensity: 1.0 });
      addWaves(surface, this.time, shape, wave);
      const top = new Mesh(plane, surface);
      top.position.set(cx, shape.high[1] - 0.012 * wave, cz); // crests reach the level, so that cloth floats above them
      top.receiveShadow = true;
      top.renderOrder = 2;
      const glass = new MeshBasicMaterial({ color: new Color(DEPTH), transparent: true, opacity: 0.26, depthWrite: false });
      const body = new Mesh(new BoxGeometry(x, y, z), glass);
      body.position.set(cx, shape.high[1] - 0.5 * y - 0.014 * wave, cz);
      body.renderOrder = 1;
      this.group.add(body, top);
    }
  }

  get isEmpty(): boolean {
    return this.group.children.length === 0;
  }

  /** Let the waves run to a moment of the simulation [s]. */
  update(time: number): void {
    this.time.value = time;
  }

  private clear(): void {
    for (const mesh of this.group.children as Mesh[]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
    }
    this.group.clear();
  }
}
