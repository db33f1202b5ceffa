// The place where everything is seen: camera, light, ground, sky.
import {
  BackSide, BasicShadowMap, CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, LinearToneMapping, Mesh,
  MeshLambertMaterial, MeshStandardMaterial, PerspectiveCamera, Scene, ShaderMaterial, SphereGeometry,
  VSMShadowMap, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { AdaptiveQuality } from "./quality";
import type { Geometry } from "./protocol";
import { SUN } from "./sun";

export type Theme = "dark" | "light";

const THEMES = {
  dark: { zenith: "#121a29", horizon: "#384457", ground: "#454e5c", line: "#66717f", sky: "#aebfd8", bounce: "#8a7f78", sun: "#fff0da", sunLight: 2.4, hemiLight: 1.8, fillLight: 0.45 },
  light: { zenith: "#6f9fd0", horizon: "#dde5ec", ground: "#b9bfc2", line: "#9aa3a9", sky: "#eaf2fb", bounce: "#c8bfb0", sun: "#fff3e0", sunLight: 2.2, hemiLight: 1.7, fillLight: 0.35 },
};

/** The nearest of 1, 2, 5, 10, 20, ... and 0.5, 0.2, 0.1, ... */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].reduce((best, each) => (Math.abs(each - value / power) < Math.abs(best - value / power) ? each : best));
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 500);
  /** Carries the camera; in a headset the room stands on it. */
  readonly rig = new Group();
  readonly controls: OrbitControls;
  readonly isLow: boolean;
  private readonly sun = new DirectionalLight("#ffffff", 2.6);
  private readonly fill = new DirectionalLight("#dfe9ff", 0.5);
  private readonly hemisphere = new HemisphereLight("#ffffff", "#888888", 1);
  private readonly ground: Mesh;
  private readonly sky: Mesh;
  private readonly lineColour = { value: new Color() };
  private readonly gridStep = { value: 0.25 };
  private readonly haze = { value: 3 };
  private readonly horizon = { value: new Color() };
  /** Pixels at either side that are covered. */
  private covered = { left: 0, right: 0 };
  private readonly quality: AdaptiveQuality;
  private isSharp = false;
  private shapes: Geometry | null = null;
  /** From where the whole scene is looked at, until somebody looks elsewhere. */
  private framed: { azimuth: number; elevation: number } | null = null;
  private size = { width: 0, height: 0 };
  isDirty = true;
  /** Pixels of the picture for one of the page; null goes by quality and speed. */
  pixelRatio: number | null = null;

  constructor(readonly host: HTMLElement, quality: "low" | "high") {
    this.isLow = quality === "low";
    this.quality = this.isLow ? new AdaptiveQuality(1, 3) : new AdaptiveQuality(0, 4);
    this.renderer = new WebGLRenderer({ antialias: !this.isLow, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.toneMapping = LinearToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.type = this.isLow ? BasicShadowMap : VSMShadowMap;
    this.renderer.xr.enabled = true;
    const canvas = this.renderer.domElement;
    canvas.setAttribute("aria-hidden", "true");
    host.append(canvas);
    this.rig.add(this.camera);
    this.fill.position.set(-3, 1, 2);
    this.scene.add(this.rig, this.hemisphere, this.fill, this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(1024);
    this.sun.shadow.radius = 7;
    this.sun.shadow.blurSamples = 16;
    this.sun.shadow.bias = -0.0004;

    this.ground = new Mesh(new CircleGeometry(1, 64), this.groundMaterial());
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    this.sky = new Mesh(
      new SphereGeometry(1, 16, 40),
      new ShaderMaterial({
        side: BackSide, depthWrite: false, fog: false,
        uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() } },
        vertexShader: `uniform vec3 zenith; uniform vec3 horizon; varying vec3 colour;
          void main() {
            colour = mix(horizon, zenith, pow(smoothstep(-0.02, 0.75, position.y), 0.7));
            gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
          }`,
        fragmentShader: `varying vec3 colour;
          void main() {
            gl_FragColor = vec4(colour, 1.0);
            #include <tonemapping_fragment>
            #include <colorspace_fragment>
          }`,
      }),
    );
    // What covers most of the picture is drawn last, and only where nothing stands before it.
    this.ground.renderOrder = 1;
    this.sky.renderOrder = 2;
    this.scene.add(this.ground, this.sky);

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !this.isLow;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = Math.PI * 0.56;
    this.controls.addEventListener("change", () => (this.isDirty = true));
    this.controls.addEventListener("start", () => (this.framed = null));
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  private groundMaterial(): MeshLambertMaterial | MeshStandardMaterial {
    const material = this.isLow ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.95 });
    material.onBeforeCompile = (shader) => {
      shader.uniforms.lineColour = this.lineColour;
      shader.uniforms.gridStep = this.gridStep;
      shader.uniforms.haze = this.haze;
      shader.uniforms.horizon = this.horizon;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround;")
        .replace("#include <project_vertex>", "#include <project_vertex>\nvGround = (modelMatrix * vec4(transformed, 1.0)).xz;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround; uniform vec3 lineColour; uniform float gridStep; uniform float haze; uniform vec3 horizon;")
        .replace("#include <color_fragment>", `#include <color_fragment>
          vec2 cell = vGround / gridStep;
          vec2 width = fwidth(cell);
          vec2 edge = abs(fract(cell - 0.5) - 0.5) / max(width, vec2(1e-5));
          float line = (1.0 - min(min(edge.x, edge.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
          diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, line * 0.55 * (1.0 - smoothstep(0.05, 0.45, length(vViewPosition) / haze)));`)
        // Far away the ground becomes the sky, before both are toned.
        .replace("#include <opaque_fragment>", `outgoingLight = mix(outgoingLight, horizon, smoothstep(0.12, 1.0, length(vViewPosition) / haze));
          #include <opaque_fragment>`);
    };
    return material;
  }

  setTheme(theme: Theme): void {
    const look = THEMES[theme];
    const sky = this.sky.material as ShaderMaterial;
    sky.uniforms.zenith.value.set(look.zenith);
    sky.uniforms.horizon.value.set(look.horizon);
    this.horizon.value.set(look.horizon);
    (this.ground.material as MeshLambertMaterial).color.set(look.ground);
    this.lineColour.value.set(look.line);
    this.hemisphere.color.set(look.sky);
    this.hemisphere.groundColor.set(look.bounce);
    this.hemisphere.intensity = look.hemiLight;
    this.sun.color.set(look.sun);
    this.sun.intensity = look.sunLight;
    this.fill.intensity = look.fillLight;
    this.isDirty = true;
  }

  /** Fit light, ground and clipping to a world, and look at it if it is a new one. */
  setWorld(shapes: Geometry, isNew: boolean): void {
    this.shapes = shapes;
    const radius = shapes.radius;
    const centre = new Vector3(...shapes.centre);
    const drop = Math.max(0, centre.y - shapes.floor);
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN, 8 * radius);
    const shadow = this.sun.shadow;
    const span = 1.5 * radius + 0.6 * drop;
    Object.assign(shadow.camera, { left: -span, right: span, top: span, bottom: -span, near: 0.5 * radius, far: 20 * radius + 2 * drop });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.006 * radius;
    this.ground.position.set(centre.x, shapes.floor, centre.z);
    this.ground.scale.setScalar(60 * radius);
    this.gridStep.value = roundNumber(0.5 * radius);
    this.haze.value = 22 * radius;
    this.camera.near = 0.01 * radius;
    this.camera.far = 200 * radius;
    this.sky.scale.setScalar(100 * radius);
    this.controls.minDistance = 0.15 * radius;
    this.controls.maxDistance = 20 * radius;
    if (isNew) {
      this.quality.restart();
      this.resize();
      this.frame();
    }
    this.isDirty = true;
  }

  /**
   * Look at the whole scene, and at everything in `strays` [m] that has left the place where it started. If it is
   * known which points lie `outermost` [m], they fill the picture; else the corners of the scene's box do.
   */
  frame(azimuth = 0.5, elevation = 0.22, strays: Iterable<Vector3> = [], outermost: Vector3[] = []): void {
    if (!this.shapes) return;
    const centre = new Vector3(...this.shapes.centre);
    const flat = Math.cos(elevation);
    const backward = new Vector3(Math.sin(azimuth) * flat, Math.sin(elevation), Math.cos(azimuth) * flat);
    const right = new Vector3(Math.cos(azimuth), 0, -Math.sin(azimuth));
    const up = new Vector3().crossVectors(backward, right);
    // What is free of panels, as slopes from the middle of the view.
    const { clientWidth: width, clientHeight: height } = this.host;
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const { left, right: rightward } = this.covered;
    const across = (0.94 * slope * (width - left - rightward)) / height;
    const upward = 0.94 * slope * (1 - (rightward ? 170 : 0) / height);
    let distance = 0.2 * this.shapes.radius;
    const include = (place: Vector3): void => {
      const nearer = place.dot(backward);
      distance = Math.max(distance, nearer + Math.abs(place.dot(right)) / across, nearer + Math.abs(place.dot(up)) / upward);
    };
    const offset = new Vector3();
    for (const axis of outermost.length ? [right, up] : []) {
      const along = outermost.map((point) => offset.subVectors(point, centre).dot(axis));
      centre.addScaledVector(axis, 0.5 * (Math.min(...along) + Math.max(...along)));
    }
    for (const point of outermost) include(offset.subVectors(point, centre));
    for (let corner = 0; corner < (outermost.length ? 0 : 8); corner++) {
      const [x, y, z] = this.shapes.size.map((extent, axis) => (corner & (1 << axis) ? 0.5 : -0.5) * extent);
      include(new Vector3(x, y, z));
    }
    for (const stray of strays) include(offset.subVectors(stray, centre));
    distance = Math.min(distance, this.controls.maxDistance);
    // The tools below take more room than the title above.
    if (rightward) centre.addScaledVector(up, ((-30 * 2) / height) * slope * distance);
    this.camera.position.copy(centre).addScaledVector(backward, distance);
    this.controls.target.copy(centre);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.framed = { azimuth, elevation };
    this.isDirty = true;
  }

  /** Turn the camera about what it looks at [rad], or go nearer by a factor. */
  orbit(azimuth: number, elevation: number, zoom = 1): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const length = offset.length();
    const a = Math.atan2(offset.x, offset.z) + azimuth;
    const e = Math.min(1.5, Math.max(-0.15, Math.asin(offset.y / length) + elevation));
    offset.set(Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)).multiplyScalar(length * zoom);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.framed = null;
    this.isDirty = true;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height || this.renderer.xr.isPresenting) return;
    this.renderer.setPixelRatio(this.pixelRatio ?? this.usualRatio());
    this.isSharp = false;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // The middle of the view is the middle of what no panel covers.
    this.camera.setViewOffset(width, height, (this.covered.right - this.covered.left) / 2, 0, width, height);
    // Whoever has not looked elsewhere goes on seeing the whole scene in a window of another size.
    const isOther = width !== this.size.width || height !== this.size.height;
    this.size = { width, height };
    if (isOther && this.framed) this.frame(this.framed.azimuth, this.framed.elevation);
    this.isDirty = true;
  }

  private usualRatio(): number {
    return this.quality.pixels * (this.isLow ? 0.5 : this.fullRatio());
  }

  private fullRatio(): number {
    return Math.min(2, devicePixelRatio);
  }

  /** Whether fine grids are to be drawn with fewer triangles. */
  get isCoarse(): boolean {
    return this.quality.isCoarse;
  }

  /** Take note that a turn of the page is over; where turns are slow, less is drawn from then on. */
  turned(): void {
    if (this.quality.turned()) this.resize();
  }

  /** While a hand holds something, slow machines draw less, to follow it sooner. */
  hold(isHeld: boolean): void {
    if (this.quality.hold(isHeld)) this.resize();
  }

  /** The page was not seen, or not drawn: that says nothing about how fast it could be. */
  forgetTurns(): void {
    this.quality.forget();
  }

  /** Draw what stands still with all its pixels, if it is not drawn so already. */
  sharpen(): void {
    if (this.isSharp || this.renderer.xr.isPresenting) return;
    this.isSharp = true;
    this.renderer.setPixelRatio(this.pixelRatio ?? this.fullRatio());
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  cover(left: number, right: number): void {
    if (left === this.covered.left && right === this.covered.right) return;
    this.covered = { left, right };
    this.resize();
  }

  render(): void {
    this.isDirty = false;
    if (this.isSharp) {
      this.isSharp = false;
      this.renderer.setPixelRatio(this.pixelRatio ?? this.usualRatio());
    }
    if (this.quality.isShadowDue()) this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  private draw(): void {
    this.sky.position.copy(this.camera.getWorldPosition(new Vector3()));
    this.renderer.render(this.scene, this.camera);
  }

  async picture(): Promise<Blob> {
    this.isSharp = false;
    this.sharpen();
    return new Promise((resolve, reject) =>
      this.renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  }
}
