// Buttons and keys: one list says what each is called, which key it has and what it does.
import { byId, element, icon } from "./element";

export interface Action {
  id: string;
  label: string;
  /** Key as in KeyboardEvent.key; " " is the space bar. */
  key: string;
  /** SVG path; none has no button. */
  path?: string;
  run: () => void;
}

const KEY_NAMES: Record<string, string> = { " ": "Space" };

export class Tools {
  private readonly buttons = new Map<string, HTMLButtonElement>();

  /** @param before is asked first what a key means, and tells whether that was all. */
  constructor(host: HTMLElement, private readonly actions: Action[], private readonly before: (event: KeyboardEvent) => boolean) {
    for (const action of actions) {
      if (!action.path) continue;
      const button = element("button", { type: "button", id: `tool-${action.id}` });
      button.append(icon(action.path));
      button.addEventListener("click", () => action.run());
      host.append(button);
      this.buttons.set(action.id, button);
      this.label(action.id, action.label);
    }
    addEventListener("keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (event.altKey || (isCommand && letter !== "z" && letter !== "y")) return;
    const target = event.target as HTMLElement;
    const isTyping = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    if (isTyping || document.querySelector("dialog[open]")) return;
    if (event.key === " " && target.matches("button, input, summary")) return;
    if (event.key.startsWith("Arrow") && target.matches("input")) return;
    if (!isCommand && this.before(event)) return event.preventDefault();
    const wanted = isCommand ? (event.shiftKey || letter === "y" ? "y" : "u") : event.key.length === 1 ? letter : event.key;
    const action = this.actions.find((candidate) => candidate.key === wanted);
    if (!action) return;
    event.preventDefault();
    action.run();
  }

  label(id: string, label: string): void {
    const button = this.buttons.get(id);
    const action = this.actions.find((candidate) => candidate.id === id);
    if (!button || !action) return;
    const key = KEY_NAMES[action.key] ?? action.key.toUpperCase();
    button.ariaLabel = `${label} (${key})`;
    button.title = button.ariaLabel;
  }

  setIcon(id: string, path: string): void {
    this.buttons.get(id)?.querySelector("path")?.setAttribute("d", path);
  }

  press(id: string, isPressed: boolean): void {
    this.buttons.get(id)?.setAttribute("aria-pressed", String(isPressed));
  }

  enable(id: string, isEnabled: boolean): void {
    const button = this.buttons.get(id);
    if (button) button.disabled = !isEnabled;
  }

  hide(id: string, isHidden: boolean): void {
    const button = this.buttons.get(id);
    if (button) button.hidden = isHidden;
  }

  describe(): void {
    const list = byId("help-list");
    const rows: [string, string][] = [
      ["Drag a body", "grab it; let go in motion to throw it"],
      ["Drag beside it, or Alt-drag", "look around"],
      ["Right-drag, wheel", "pan, zoom; the wheel pushes what is held"],
      ["Double-click", "pin or unpin"],
      ["One finger, two fingers", "use the tool, look around"],
      ["Shift-arrows, Enter", "lead the tool by keys; Enter takes hold, and lets go again"],
      ["Page Up, Page Down", "push or pull what keys hold"],
      ["Escape", "put down what is half done, then the tool"],
      ...this.actions.map((action): [string, string] => [KEY_NAMES[action.key] ?? action.key.toUpperCase().replace("ARROW", ""), action.label]),
    ];
    const table = element("dl");
    for (const [keys, what] of rows) table.append(element("dt", { textContent: keys }), element("dd", { textContent: what }));
    list.replaceChildren(table);
  }
}

let toastTimer = 0;

/** Something that can be done about what was said. */
export interface Choice {
  label: string;
  run: () => void;
}

/** Say something in passing; longer if there is something to choose. */
export function toast(text: string, choices: Choice[] = []): void {
  const host = byId("toast");
  const buttons = choices.map((choice) => {
    const button = element("button", { type: "button", textContent: choice.label });
    button.addEventListener("click", () => {
      button.disabled = true;
      choice.run();
    });
    return button;
  });
  host.replaceChildren(text, ...buttons);
  host.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => host.classList.remove("shown"), choices.length ? 15_000 : 3500);
}

/** Say what is wrong, until it is right again; null takes it away. */
export function banner(text: string | null, progress?: { done: number; total: number }): void {
  const host = byId("banner");
  host.hidden = text === null;
  // What has a bar is on its way: no reason for alarm, nor to be read out again and again.
  host.classList.toggle("calm", progress !== undefined);
  host.setAttribute("role", progress ? "status" : "alert");
  byId("banner-text").textContent = text ?? "";
  const bar = byId<HTMLProgressElement>("banner-progress");
  bar.hidden = !progress;
  if (progress) {
    bar.max = progress.total;
    if (progress.done > 0) bar.value = progress.done;
    else bar.removeAttribute("value");
  }
}
