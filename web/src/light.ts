// Light of a photographer's studio: surroundings that shine from everywhere, a key light with shadows as sharp as a
// window throws them, and a soft box overhead whose blurred shadow darkens folds and the ground under things.
import {
  BackSide, BoxGeometry, Color, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, PCFShadowMap, PMREMGenerator, Scene,
  ShaderChunk, ShaderMaterial, SphereGeometry, Vector3,
} from "three";
import type { Texture, WebGLRenderer } from "three";
import type { Geometry } from "./protocol";
import { SUN } from "./sun";

/** Strengths and colours of the light in one theme. */
export interface LightLook {
  surroundings: number;
  key: number;
  keyColour: string;
  overhead: number;
  sky: string;
  bounce: string;
  hemisphere: number;
}

/** Where the soft box is: almost straight above, on the other side than the key light. */
const OVERHEAD = new Vector3(-0.18, 1, -0.12).normalize();
/** Radius of the blur of the overhead shadow, as a part of the map's side. */
const OVERHEAD_BLUR = 0.035;

/**
 * Let shadows be blurred with more samples than the five of three.js, which show as grain where the blur is wide. Four
 * samples at the rim come first: where they agree, as almost everywhere, they are enough. Where drawing is slow one must
 * do: the hardware blends the four texels around it.
 */
function setShadowSamples(isLow: boolean): void {
  const taps = /float phi = interleavedGradientNoise[\s\S]*?\) \* 0\.2;/;
  ShaderChunk.shadowmap_pars_fragment = ShaderChunk.shadowmap_pars_fragment.replace(
    taps,
    isLow
      ? "shadow = texture( shadowMap, shadowCoord.xyz );"
      : `float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
        vec2 a = vec2( cos( phi ), sin( phi ) ) * radius, b = vec2( - a.y, a.x );
        #define TAP( x, y ) texture( shadowMap, vec3( shadowCoord.xy + ( x ) * a + ( y ) * b, shadowCoord.z ) )
        shadow = TAP( 0.9, 0.0 ) + TAP( 0.0, 0.9 ) + TAP( - 0.9, 0.0 ) + TAP( 0.0, - 0.9 );
        if ( shadow > 0.0 && shadow < 4.0 ) {
          shadow += TAP( 0.62, 0.62 ) + TAP( - 0.62, 0.62 ) + TAP( - 0.62, - 0.62 ) + TAP( 0.62, - 0.62 );
          shadow += TAP( 0.5, 0.12 ) + TAP( - 0.12, 0.5 ) + TAP( - 0.5, - 0.12 ) + TAP( 0.12, - 0.5 );
          shadow = ( shadow + TAP( 0.2, 0.2 ) + TAP( - 0.2, - 0.2 ) ) / 14.0;
        } else {
          shadow *= 0.25;
        }`,
  );
}

/** What shines around the scene: a pale dome, a large window at the key light, a strip behind, a floor that throws light back. */
function surroundings(renderer: WebGLRenderer): Texture {
  const room = new Scene();
  const dome = new ShaderMaterial({
    side: BackSide,
    vertexShader: "varying vec3 way; void main() { way = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: `varying vec3 way;
      void main() {
        float up = normalize(way).y;
        vec3 colour = mix(vec3(0.42, 0.40, 0.38), vec3(0.80, 0.86, 0.95), smoothstep(-0.25, 0.35, up));
        gl_FragColor = vec4(mix(colour, vec3(1.35, 1.4, 1.5), smoothstep(0.35, 1.0, up)), 1.0);
      }`,
  });
  room.add(new Mesh(new SphereGeometry(20, 32, 16), dome));
  const panel = (place: Vector3, width: number, height: number, light: number): void => {
    const mesh = new Mesh(new BoxGeometry(width, height, 0.1), new MeshBasicMaterial({ color: new Color(light, light, 0.97 * light) }));
    mesh.position.copy(place);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  panel(SUN.clone().multiplyScalar(9), 5, 5, 9);
  panel(new Vector3(-8, 3, -4), 1.5, 7, 7);
  panel(new Vector3(6, 2, -7), 1, 6, 4);
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.02);
  generator.dispose();
  room.traverse((part) => {
    if (part instanceof Mesh) (part.geometry.dispose(), part.material.dispose());
  });
  return texture;
}

export class StudioLight {
  private readonly key = new DirectionalLight();
  private readonly overhead = new DirectionalLight("#f4f7ff");
  /** Where drawing is slow, this stands in for the surroundings. */
  private readonly hemisphere = new HemisphereLight();

  constructor(private readonly scene: Scene, renderer: WebGLRenderer, isLow: boolean) {
    setShadowSamples(isLow);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.autoUpdate = false;
    renderer.shadowMap.type = PCFShadowMap;
    this.key.castShadow = true;
    this.key.shadow.mapSize.setScalar(isLow ? 1024 : 2048);
    this.key.shadow.radius = 3.5;
    scene.add(this.key, this.key.target);
    if (isLow) {
      scene.add(this.hemisphere);
      return;
    }
    scene.environment = surroundings(renderer);
    this.overhead.castShadow = true;
    this.overhead.shadow.mapSize.setScalar(512);
    this.overhead.shadow.radius = OVERHEAD_BLUR * 512;
    scene.add(this.overhead, this.overhead.target);
  }

  setLook(look: LightLook): void {
    this.scene.environmentIntensity = look.surroundings;
    this.key.color.set(look.keyColour);
    this.key.intensity = look.key;
    this.overhead.intensity = look.overhead;
    this.hemisphere.color.set(look.sky);
    this.hemisphere.groundColor.set(look.bounce);
    this.hemisphere.intensity = look.hemisphere;
  }

  /** Let the shadow maps hold a world and the ground its shadow falls on. */
  setWorld(shapes: Geometry): void {
    const { radius } = shapes;
    const centre = new Vector3(...shapes.centre);
    const drop = Math.max(0, centre.y - shapes.floor);
    for (const [light, way] of [[this.key, SUN], [this.overhead, OVERHEAD]] as const) {
      light.target.position.copy(centre);
      light.position.copy(centre).addScaledVector(way, 8 * radius);
      const span = light === this.key ? 1.3 * radius + 0.6 * drop : 1.4 * radius;
      const { camera } = light.shadow;
      Object.assign(camera, { left: -span, right: span, top: span, bottom: -span, near: 4 * radius, far: 14 * radius + 2 * drop });
      camera.updateProjectionMatrix();
      const texel = (2 * span) / light.shadow.mapSize.x;
      light.shadow.normalBias = (light === this.key ? 2.2 : 5) * texel;
      light.shadow.bias = -(light === this.key ? 1.0 : 4) * texel / (camera.far - camera.near);
    }
  }
}
