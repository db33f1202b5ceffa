// The place where everything is seen: camera, light, ground, sky.
import {
  BackSide, Color, Group, Mesh, MeshLambertMaterial, NeutralToneMapping, PerspectiveCamera, RingGeometry,
  Scene, ShaderMaterial, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { StudioLight } from "./light";
import { AdaptiveQuality } from "./quality";
import type { Geometry } from "./protocol";

/** Pixels along a side that are drawn at least, as a part of those of the screen: half of all. */
const LEAST_PIXELS = Math.SQRT1_2;

/** From where scenes are looked at that do not say it [rad]. */
const USUAL = { azimuth: 0.5, elevation: 0.22 };

export type Theme = "dark" | "light";

const THEMES = {
  dark: {
    zenith: "#10141b", horizon: "#3b424d", ground: "#5f646d", line: "#7d848e",
    surroundings: 0.36, key: 2.1, keyColour: "#fff0da", overhead: 0.55, sky: "#c4cfdf", bounce: "#8a7f78", hemisphere: 1.9,
  },
  light: {
    zenith: "#c3d0dc", horizon: "#e6e8e9", ground: "#b4b7b9", line: "#9fa5a9",
    surroundings: 0.46, key: 2.1, keyColour: "#fff5e6", overhead: 0.6, sky: "#f4f8fc", bounce: "#d8d2c8", hemisphere: 2.7,
  },
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
  private readonly light: StudioLight;
  private readonly ground: Mesh;
  private readonly sky: Mesh;
  private readonly lineColour = { value: new Color() };
  private readonly gridStep = { value: 0.25 };
  private readonly horizon = { value: new Color() };
  /** Pixels at every side that are covered; above and below only where nothing stands beside. */
  private covered = { left: 0, right: 0, top: 0, bottom: 0 };
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
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.xr.enabled = true;
    const canvas = this.renderer.domElement;
    canvas.setAttribute("aria-hidden", "true");
    host.append(canvas);
    this.rig.add(this.camera);
    this.scene.add(this.rig);
    this.light = new StudioLight(this.scene, this.renderer, this.isLow);

    this.ground = new Mesh(new RingGeometry(0, 1, 96, 24), this.groundMaterial());
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

  private groundMaterial(): MeshLambertMaterial {
    const material = new MeshLambertMaterial();
    material.onBeforeCompile = (shader) => {
      shader.uniforms.lineColour = this.lineColour;
      shader.uniforms.gridStep = this.gridStep;
      shader.uniforms.horizon = this.horizon;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround; varying float vFar;")
        .replace("#include <project_vertex>", "#include <project_vertex>\nvGround = (modelMatrix * vec4(transformed, 1.0)).xz; vFar = 60.0 * length(transformed.xy);");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround; varying float vFar; uniform vec3 lineColour; uniform float gridStep; uniform vec3 horizon;")
        .replace("#include <color_fragment>", `#include <color_fragment>
          vec2 cell = vGround / gridStep;
          vec2 width = fwidth(cell);
          vec2 edge = abs(fract(cell - 0.5) - 0.5) / max(width, vec2(1e-5));
          float line = (1.0 - min(min(edge.x, edge.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
          diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, line * 0.5 * (1.0 - smoothstep(1.0, 7.0, vFar)));`)
        // Far away the ground becomes the sky, after it is toned: the sky is drawn in the colours it is to have.
        .replace("#include <tonemapping_fragment>", `#include <tonemapping_fragment>
          gl_FragColor.rgb = mix(gl_FragColor.rgb, horizon, smoothstep(1.2, 11.0, vFar));`);
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
    this.light.setLook(look);
    this.isDirty = true;
  }

  /** Fit light, ground and clipping to a world, and look at it if it is a new one. */
  setWorld(shapes: Geometry, isNew: boolean): void {
    this.shapes = shapes;
    const radius = shapes.radius;
    const centre = new Vector3(...shapes.centre);
    this.light.setWorld(shapes);
    this.ground.position.set(centre.x, shapes.floor, centre.z);
    this.ground.scale.setScalar(60 * radius);
    this.gridStep.value = roundNumber(0.5 * radius);
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
  frame(
    azimuth = this.shapes?.outlook?.azimuth ?? USUAL.azimuth, elevation = this.shapes?.outlook?.elevation ?? USUAL.elevation,
    strays: Iterable<Vector3> = [], outermost: Vector3[] = [],
  ): void {
    if (!this.shapes) return;
    const centre = new Vector3(...this.shapes.centre);
    const flat = Math.cos(elevation);
    const backward = new Vector3(Math.sin(azimuth) * flat, Math.sin(elevation), Math.cos(azimuth) * flat);
    const right = new Vector3(Math.cos(azimuth), 0, -Math.sin(azimuth));
    const up = new Vector3().crossVectors(backward, right);
    // What is free of panels, as slopes from the middle of the view.
    const { clientWidth: width, clientHeight: height } = this.host;
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const { left, right: rightward, top, bottom } = this.covered;
    const across = (0.94 * slope * (width - left - rightward)) / height;
    const upward = 0.94 * slope * Math.max(0.15, 1 - (rightward ? 170 : top + bottom) / height);
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
    const { outlook } = this.shapes;
    // A distance is meant for a picture of 16 to 10 without panels; where less is free, it is seen from farther away.
    if (outlook?.distance) {
      const meant = (0.94 * slope * outlook.distance) / Math.min(upward, across / 1.6);
      // An upright picture has little room to give away: there everything need only be in it.
      distance = bottom ? Math.min(meant, distance) : meant;
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
    const { left, right, top, bottom } = this.covered;
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
    // Whoever has not looked elsewhere goes on seeing the whole scene in a window of another size.
    const isOther = width !== this.size.width || height !== this.size.height;
    this.size = { width, height };
    if (isOther && this.framed) this.frame(this.framed.azimuth, this.framed.elevation);
    this.isDirty = true;
  }

  private usualRatio(): number {
    return Math.max(LEAST_PIXELS, this.quality.pixels * (this.isLow ? LEAST_PIXELS : 1)) * (this.isLow ? 1 : this.fullRatio());
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

  /** Draw what stands still with all its pixels, if it is not drawn so already; tell whether it was drawn. */
  sharpen(): boolean {
    if (this.isSharp || this.renderer.xr.isPresenting) return false;
    this.isSharp = true;
    this.renderer.setPixelRatio(this.pixelRatio ?? this.fullRatio());
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
    return true;
  }

  cover(covered: { left: number; right: number; top: number; bottom: number }): void {
    const { left, right, top, bottom } = this.covered;
    if (left === covered.left && right === covered.right && top === covered.top && bottom === covered.bottom) return;
    this.covered = covered;
    this.resize();
    if ((top !== covered.top || bottom !== covered.bottom) && this.framed) this.frame(this.framed.azimuth, this.framed.elevation);
  }

  render(): void {
    this.isDirty = false;
    if (this.isSharp && !this.renderer.xr.isPresenting) {
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
