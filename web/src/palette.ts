// The palette: which tool the hand holds, and how large its brush is.
import { byId, element, icon } from "./element";

export type ToolName = "grab" | "pin" | "knife" | "scissors" | "needle" | "shrink" | "eraser" | "tape";

interface Tool {
  name: ToolName;
  label: string;
  /** One sentence on what to do with it. */
  help: string;
  path: string;
}

const TOOLS: Tool[] = [
  { name: "grab", label: "Grab", help: "Drag a body.", path: "M9 11V5a1.500 1.500 0 0 1 3 0v5h.5V3.500a1.500 1.500 0 0 1 3 0V10h.5V5.500a1.500 1.500 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.500a6 6 0 0 1-4.800-2.400L3.500 14a1.600 1.600 0 0 1 2.500-2l2 2.300V11z" },
  { name: "pin", label: "Pin", help: "Click cloth to pin it there, or a pin to pull it out.", path: "M14 2l8 8-2 1h-1.500L15 14.500l.5 4L14 20l-4.300-4.300L4.500 21H3v-1.500l5.300-5.200L4 10l1.500-1.500 4 .5L13 5.500V4z" },
  { name: "knife", label: "Knife", help: "Draw across cloth to cut it.", path: "M21 2.500c.8 5.500-1.200 10-6 13.300L10.800 11.600zM9.700 12.700l4.100 4.100-1.800 1.400-7.300 3.600L2.200 19.300z" },
  { name: "scissors", label: "Scissors", help: "Draw along threads: the cut follows the edges.", path: "M8.700 8.200A3.500 3.500 0 1 0 6.500 10l1.500-.3L10.200 12 8 14.300 6.500 14a3.500 3.500 0 1 0 2.200 1.800L12 13.600 19.500 20H22v-1.200zM6.500 8a1.500 1.500 0 1 1 0-3 1.500 1.500 0 0 1 0 3zM6.500 19a1.500 1.500 0 1 1 0-3 1.500 1.500 0 0 1 0 3zM13.300 10.900L22 5.200V4h-2.500L12 10.400z" },
  { name: "needle", label: "Needle", help: "Draw along one edge, then along the one to sew it to.", path: "M20.700 3.300c1.100 1.100.7 2.900-.7 4.300L8.200 19.200 3 21l1.800-5.200L16.400 4c1.400-1.400 3.200-1.800 4.300-.7zM18.300 5l-2.200 2.200.7.7L19 5.700zM3.500 6.500c2.800-4 8.500-2 7.300 2.700l-1.700-.4c.7-2.700-2.300-3.800-4.100-1.300z" },
  { name: "shrink", label: "Shrink brush", help: "Brush over cloth: it gathers there. With Shift it grows.", path: "M2 11h5V7.500l4.500 4.500L7 16.500V13H2zM22 11h-5V7.500L12.500 12l4.500 4.500V13h5z" },
  { name: "eraser", label: "Eraser", help: "Rub over cloth: it is taken away.", path: "M14 3.500l7 7L12.500 19H21v2H8l-5.500-5.500zM5.300 15.500L9 19l3.600-3.500L9 12z" },
  { name: "tape", label: "Tape measure", help: "Draw from one place to another: it is measured along the cloth.", path: "M3 8h18v8H3zM5 10v4h14v-4h-1.500v2h-1v-2h-2v2.500h-1V10h-2v2h-1v-2h-2v2.500h-1V10h-2v2h-1v-2z" },
];

/** What the tools are called, in their order. */
export const NAMES: readonly { name: ToolName; label: string }[] = TOOLS;

/** Radius of the brush over that of the scene. */
const SIZES = { low: 0.01, high: 0.25, start: 0.05 };

export class Palette {
  private chosen: ToolName = "grab";
  private readonly buttons = new Map<ToolName, HTMLButtonElement>();
  private readonly size: HTMLInputElement;
  private readonly amount: HTMLInputElement;

  constructor(host: HTMLElement, private readonly options: HTMLElement, private readonly changed: (tool: ToolName) => void) {
    TOOLS.forEach((tool, n) => {
      const button = element("button", { type: "button", id: `palette-${tool.name}`, title: `${tool.label} (${n + 1}): ${tool.help}` });
      button.ariaLabel = `${tool.label} (${n + 1})`;
      button.setAttribute("role", "radio");
      button.append(icon(tool.path));
      button.addEventListener("click", () => this.choose(tool.name));
      host.append(button);
      this.buttons.set(tool.name, button);
    });
    host.addEventListener("keydown", (event) => this.key(event));
    this.size = this.slider("brush-size", "Brush", SIZES.low, SIZES.high, SIZES.start);
    this.amount = this.slider("brush-amount", "Shrink to", 0.3, 0.95, 0.7);
    this.show();
  }

  private slider(id: string, label: string, low: number, high: number, start: number): HTMLInputElement {
    const input = element("input", { type: "range", id, min: String(low), max: String(high), step: "0.005", value: String(start) });
    const row = element("label", { htmlFor: id });
    const value = element("output", { htmlFor: id } as never);
    row.append(element("span", { textContent: label }), value, input);
    const tell = (): void => {
      const part = (Number(input.value) - low) / (high - low);
      input.style.setProperty("--part", `${100 * part}%`);
      value.textContent = id === "brush-amount" ? `${Math.round(100 * Number(input.value))} %` : `${Math.round(100 * part)}`;
    };
    input.addEventListener("input", tell);
    tell();
    this.options.append(row);
    return input;
  }

  /** Arrows go from tool to tool, as in every group of radio buttons. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!step || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = TOOLS.findIndex((tool) => tool.name === this.chosen);
    const { name } = TOOLS[(at + step + TOOLS.length) % TOOLS.length];
    this.choose(name);
    this.buttons.get(name)!.focus();
  }

  get tool(): ToolName {
    return this.chosen;
  }

  /** Radius of the brush, given that of the scene [m]. */
  radius(scene: number): number {
    return Number(this.size.value) * scene;
  }

  /** What the brush shrinks to [-]. */
  get ratio(): number {
    return Number(this.amount.value);
  }

  choose(name: ToolName): void {
    this.chosen = name;
    this.show();
    this.changed(name);
  }

  /** What can be done with the tool, in a sentence. */
  get help(): string {
    if (this.buttons.get(this.chosen)!.classList.contains("idle")) return this.buttons.get(this.chosen)!.title;
    return TOOLS.find((tool) => tool.name === this.chosen)!.help;
  }

  /** What to say after a stroke beside everything. */
  get missed(): string {
    const tool = TOOLS.find((each) => each.name === this.chosen)!;
    return `The ${tool.label.toLowerCase()} met no cloth. ${tool.help}`;
  }

  /** Say of every tool what it needs, and whether the scene has it. */
  offer(hasSurface: boolean, hasBody: boolean): void {
    for (const [name, button] of this.buttons) {
      const isUseful = name === "grab" || (name === "pin" ? hasBody : hasSurface);
      const { label, help } = TOOLS.find((each) => each.name === name)!;
      const key = TOOLS.findIndex((each) => each.name === name) + 1;
      button.classList.toggle("idle", !isUseful);
      button.title = `${label} (${key}): ${isUseful ? help : "needs cloth, and this scene has none."}`;
    }
  }

  private show(): void {
    for (const [name, button] of this.buttons) {
      button.setAttribute("aria-checked", String(name === this.chosen));
      button.tabIndex = name === this.chosen ? 0 : -1;
    }
    const isBrush = this.chosen === "shrink" || this.chosen === "eraser";
    this.options.hidden = !isBrush;
    byId("brush-amount").parentElement!.hidden = this.chosen !== "shrink";
  }

  /** Keys, for the list of actions. */
  actions(): { id: string; label: string; key: string; run: () => void }[] {
    return TOOLS.map((tool, n) => ({ id: tool.name, label: `${tool.label}: ${tool.help}`, key: String(n + 1), run: () => this.choose(tool.name) }));
  }
}
