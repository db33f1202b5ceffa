// The panel: built from the parameters and actions the server declares. Knows kinds of controls, and none by name.
import type { Action, Parameter, Value } from "./protocol";
import { element } from "./element";

const STEPS = 1000;
/** A logarithmic slider that starts at 0 goes over so many factors of ten. */
const DECADES = 6;

interface Control {
  show(value: Value): void;
}

export class Panel {
  private readonly controls = new Map<string, Control>();
  private readonly groups = new Map<string, HTMLDetailsElement>();
  private readonly folded = new Map<string, boolean>();
  /** Where the answer to each action stands. */
  private readonly answers = new Map<string, HTMLElement>();
  parameters: Parameter[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly change: (name: string, value: Value) => void,
    private readonly act: (name: string) => void,
  ) {}

  build(parameters: Parameter[], actions: Action[]): void {
    const focused = (document.activeElement as HTMLElement | null)?.id;
    this.parameters = parameters;
    this.controls.clear();
    this.answers.clear();
    this.groups.clear();
    this.host.replaceChildren();
    const groups = new Map<string, HTMLElement>();
    const group = (name: string, isOpen: boolean): HTMLElement => {
      const found = groups.get(name);
      if (found) return found;
      const details = element("details", { open: this.folded.get(name) ?? isOpen });
      details.addEventListener("toggle", () => this.folded.set(name, details.open));
      details.append(element("summary", { textContent: name.replaceAll(/[-_]/g, " ") }));
      const made = element("div", { className: "group" });
      details.append(made);
      groups.set(name, made);
      this.host.append(details);
      this.groups.set(name, details);
      return made;
    };
    for (const parameter of parameters) group(parameter.group, parameter.is_open).append(this.control(parameter));
    for (const action of actions) group(action.group, true).append(this.button(action));
    if (focused) document.getElementById(focused)?.focus();
  }

  show(values: Record<string, Value>): void {
    for (const [name, value] of Object.entries(values)) {
      this.controls.get(name)?.show(value);
      const parameter = this.parameters.find((candidate) => candidate.name === name);
      if (parameter) parameter.value = value;
    }
  }

  /** Unfold a group and bring it into view. */
  reveal(group: string): void {
    const found = this.groups.get(group);
    if (!found) return;
    found.open = true;
    found.scrollIntoView({ block: "nearest" });
  }

  /** Write what came of an action below its button; it stays there until the panel is built anew. */
  answer(name: string, text: string): void {
    const place = this.answers.get(name);
    if (place) place.textContent = text;
  }

  private button(action: Action): HTMLElement {
    const row = element("div", { className: "row action", title: action.help });
    const button = element("button", { type: "button", id: `a-${action.name.replaceAll(/[^\w-]/g, "-")}`, textContent: action.label });
    const answer = element("output");
    button.addEventListener("click", () => this.act(action.name));
    row.append(button, answer);
    this.answers.set(action.name, answer);
    return row;
  }

  private control(parameter: Parameter): HTMLElement {
    const id = `p-${parameter.name.replaceAll(/[^\w-]/g, "-")}`;
    const row = element("div", { className: `row ${parameter.kind}`, title: parameter.help });
    const label = element("label", { textContent: parameter.label, htmlFor: id });
    const unit = element("span", { className: "unit", textContent: parameter.unit });
    const tell = (value: Value): void => {
      parameter.value = value;
      this.change(parameter.name, value);
    };
    const name = `${parameter.group}: ${parameter.label}${parameter.unit ? ` in ${parameter.unit}` : ""}`;
    switch (parameter.kind) {
      case "switch": {
        const box = element("input", { type: "checkbox", id, ariaLabel: name });
        box.addEventListener("change", () => tell(box.checked));
        row.append(label, box);
        this.add(parameter, { show: (value) => (box.checked = Boolean(value)) });
        break;
      }
      case "choice": {
        const select = element("select", { id, ariaLabel: name });
        for (const choice of parameter.choices) select.append(element("option", { value: choice, textContent: choice }));
        select.addEventListener("change", () => tell(select.value));
        row.append(label, select);
        this.add(parameter, { show: (value) => (select.value = String(value)) });
        break;
      }
      case "vector": {
        const boxes = ["x", "y", "z"].map((axis, n) =>
          element("input", { type: "number", id: n ? `${id}-${axis}` : id, step: "0.1", ariaLabel: `${name}, ${axis}`, min: String(parameter.low ?? ""), max: String(parameter.high ?? "") }),
        );
        for (const box of boxes) {
          box.addEventListener("change", () => {
            const values = boxes.map((each) => Number(each.value));
            if (values.every(Number.isFinite)) tell(values.map((each) => clamp(each, parameter)));
          });
        }
        const entries = element("span", { className: "entries" });
        entries.append(...boxes);
        row.append(label, unit, entries);
        this.add(parameter, { show: (value) => (value as number[]).forEach((each, n) => (boxes[n].value = short(each))) });
        break;
      }
      default: {
        const isWhole = parameter.kind === "integer";
        const slider = element("input", { type: "range", id, ariaLabel: name, min: "0", max: String(STEPS), step: "1" });
        if (isWhole) Object.assign(slider, { min: String(parameter.low), max: String(parameter.high) });
        const entry = element("input", { type: "number", className: "figure", step: isWhole ? "1" : "any", id: `${id}-figure`, ariaLabel: `${name}, as a number`, min: String(parameter.low ?? ""), max: String(parameter.high ?? "") });
        const show = (value: Value): void => {
          slider.value = String(isWhole ? value : toSlider(value as number, parameter));
          slider.setAttribute("aria-valuetext", `${short(value as number)} ${parameter.unit}`);
          slider.style.setProperty("--part", `${(100 * (Number(slider.value) - Number(slider.min))) / (Number(slider.max) - Number(slider.min))}%`);
          if (document.activeElement !== entry) entry.value = short(value as number);
        };
        slider.addEventListener("input", () => {
          const value = isWhole ? Number(slider.value) : fromSlider(Number(slider.value), parameter);
          show(value);
          tell(value);
        });
        entry.addEventListener("change", () => {
          if (!Number.isFinite(entry.valueAsNumber)) return show(parameter.value);
          const value = clamp(isWhole ? Math.round(entry.valueAsNumber) : entry.valueAsNumber, parameter);
          tell(value);
          entry.value = short(value);
          show(value);
        });
        row.append(label, unit, entry, slider);
        this.add(parameter, { show });
      }
    }
    return row;
  }

  private add(parameter: Parameter, control: Control): void {
    this.controls.set(parameter.name, control);
    control.show(parameter.value);
  }
}

const clamp = (value: number, { low, high }: Parameter): number =>
  Math.min(high ?? Infinity, Math.max(low ?? -Infinity, value));

export function toSlider(value: number, { low, high, is_logarithmic }: Parameter): number {
  const from = low ?? 0, to = high ?? 1;
  if (!is_logarithmic) return Math.round((STEPS * (value - from)) / (to - from));
  const least = from > 0 ? from : to / 10 ** DECADES;
  if (value < least) return 0;
  const part = Math.log(value / least) / Math.log(to / least);
  return from > 0 ? Math.round(STEPS * part) : Math.max(1, Math.round(1 + (STEPS - 1) * part));
}

export function fromSlider(place: number, { low, high, is_logarithmic }: Parameter): number {
  const from = low ?? 0, to = high ?? 1;
  if (!is_logarithmic) return tidy(from + ((to - from) * place) / STEPS, from, to);
  const least = from > 0 ? from : to / 10 ** DECADES;
  if (place <= 0) return from;
  const part = from > 0 ? place / STEPS : (place - 1) / (STEPS - 1);
  return tidy(least * (to / least) ** part, from, to);
}

const tidy = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, Number(value.toPrecision(3))));

export function short(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(1).replace("e+", "e");
}
