// The second board in the room: tools, redo, recording, and the gallery.
import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, Raycaster, SRGBColorSpace } from "three";
import { NAMES } from "./palette";
import type { ToolName } from "./palette";
import type { SceneChoice } from "./protocol";

export interface BoardActions {
  /** Which tool the hands hold. */
  tool: () => ToolName;
  choose: (tool: ToolName) => void;
  redo: () => void;
  record: () => void;
  load: (scene: string) => void;
}

interface Field {
  id: string;
  label: string;
  x: number;
  y: number;
  width: number;
  run: () => void;
}

const WIDTH = 640, HEIGHT = 800, FIELD_HEIGHT = 62;
/** Scenes on one page. */
const SCENES = 12;

export class ToolBoard {
  readonly mesh: Mesh;
  private readonly canvas = document.createElement("canvas");
  private readonly texture: CanvasTexture;
  private scenes: SceneChoice[] = [];
  private current = "";
  private page = 0;
  private wasPressed = false;

  constructor(private readonly actions: BoardActions) {
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    this.texture = new CanvasTexture(this.canvas);
    this.texture.colorSpace = SRGBColorSpace;
    this.mesh = new Mesh(new PlaneGeometry(0.56, 0.7), new MeshBasicMaterial({ map: this.texture, toneMapped: false }));
    this.mesh.visible = false;
  }

  /** List the scenes that can be loaded. */
  offer(scenes: SceneChoice[], current: string): void {
    this.scenes = scenes;
    this.current = current;
    this.draw();
  }

  /** What can be pressed, tools first. */
  fields(): Field[] {
    const found: Field[] = [];
    const add = (id: string, label: string, column: number, row: number, columns: number, run: () => void): void => {
      const width = (WIDTH - 24) / columns;
      found.push({ id, label, x: 12 + column * width, y: 12 + row * (FIELD_HEIGHT + 8), width: width - 8, run });
    };
    // The figure of a tape stands on the page, where nobody in a headset sees it.
    NAMES.filter(({ name }) => name !== "tape").forEach(({ name, label }, n) => add(`tool.${name}`, label, n % 4, Math.floor(n / 4), 4, () => this.actions.choose(name)));
    add("redo", "Redo", 3, 1, 4, this.actions.redo);
    add("record", "Record", 0, 2, 2, this.actions.record);
    const pages = Math.max(1, Math.ceil(this.scenes.length / SCENES));
    add("more", `Scenes ${this.page + 1} of ${pages}`, 1, 2, 2, () => (this.page = (this.page + 1) % pages));
    this.scenes.slice(SCENES * this.page, SCENES * (this.page + 1)).forEach(({ name }, n) =>
      add(`scene.${name}`, name, n % 2, 4 + Math.floor(n / 2), 2, () => this.actions.load(name)));
    return found;
  }

  draw(): void {
    const context = this.canvas.getContext("2d")!;
    context.fillStyle = "#161c28";
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.textBaseline = "middle";
    context.font = "22px system-ui, sans-serif";
    for (const field of this.fields()) {
      const isOn = field.id === `tool.${this.actions.tool()}` || field.id === `scene.${this.current}`;
      context.fillStyle = isOn ? "#6db3ee" : "#2c3850";
      context.fillRect(field.x, field.y, field.width, FIELD_HEIGHT);
      context.fillStyle = isOn ? "#08131f" : "#e8edf5";
      context.fillText(field.label, field.x + 12, field.y + FIELD_HEIGHT / 2, field.width - 20);
    }
    this.texture.needsUpdate = true;
  }

  /** Point at the board, pressing or not; returns how far it is, or 0 if the ray misses it. */
  point(raycaster: Raycaster, isPressed: boolean): number {
    if (!this.mesh.visible) return 0;
    const [found] = raycaster.intersectObject(this.mesh, false);
    if (!found?.uv) return 0;
    if (isPressed && !this.wasPressed) {
      const x = WIDTH * found.uv.x, y = HEIGHT * (1 - found.uv.y);
      const field = this.fields().find((each) => x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + FIELD_HEIGHT);
      field?.run();
      this.draw();
    }
    this.wasPressed = isPressed;
    return found.distance;
  }

  /** The middle of a field, 0 to 1 from the top left; null if it is not on this page. */
  where(id: string): [number, number] | null {
    const field = this.fields().find((each) => each.id === id);
    return field ? [(field.x + field.width / 2) / WIDTH, (field.y + FIELD_HEIGHT / 2) / HEIGHT] : null;
  }
}
