// Figures of the running simulation, and their curves.
import uPlot from "uplot";
import type { Report } from "./protocol";
import { element } from "./element";
import { Figures } from "./figures";

const KEPT = 200;
/** Figures that change faster than this cannot be read [ms]. */
const READABLE_MS = 250;

const FIGURES: { key: string; label: string; help: string; text: (report: Report, page: PageFigures) => string }[] = [
  { key: "ms", label: "ms", help: "Time to compute a frame", text: (r) => r.milliseconds.toFixed(r.milliseconds < 10 ? 2 : 1) },
  { key: "rate", label: "frames/s", help: "Frames computed per second, and drawn per second", text: (r, p) => `${r.rate.toFixed(0)} · ${p.drawn.toFixed(0)}` },
  { key: "points", label: "points", help: "Points of all bodies", text: (r) => String(r.points).replace(/\B(?=(\d{3})+$)/g, "\u202f") },
  { key: "contacts", label: "contacts", help: "Points that touch something", text: (r) => String(r.contacts) },
  { key: "stretch", label: "stretch", help: "Largest elongation of a spring", text: (r) => `${(100 * (r.max_stretch - 1)).toFixed(1)}\u202f%` },
  { key: "levels", label: "", help: "Nodes in use of every level of detail, the coarsest first, and the share of the budget used", text: (r) => (r.level_nodes.length ? `${r.level_nodes.join(" · ")} nodes${r.budget_used ? `, ${(100 * r.budget_used).toFixed(0)}\u202f% of budget` : ""}` : "") },
  { key: "force", label: "", help: "Largest force of soft bodies on an obstacle: what a hand that leads it would feel", text: (r) => (r.tool_force > 0 ? `${r.tool_force.toPrecision(3)}\u202fN` : "") },
  { key: "deadline", label: "", help: "How fast the scene runs, beside a clock", text: (r, p) => (r.status === "diverged" ? "diverged" : r.status === "held-back" ? "held back" : r.rate < 0.93 * p.wanted ? `${((100 * r.rate) / p.wanted).toFixed(0)}\u202f% of real time` : "real time") },
];

export interface PageFigures {
  /** Frames drawn per second. */
  drawn: number;
  /** Frames of a simulated second [1/s]. */
  wanted: number;
}

export class Hud {
  private readonly values = new Map<string, HTMLElement>();
  private shown = -Infinity;

  constructor(host: HTMLElement) {
    for (const figure of FIGURES) {
      const value = element("b", { textContent: "–" });
      value.dataset.figure = figure.key;
      const item = element("span", { className: "figure", title: figure.help });
      item.append(value, ` ${figure.label}`);
      host.append(item);
      this.values.set(figure.key, value);
    }
  }

  show(report: Report, page: PageFigures): void {
    const now = performance.now();
    if (now - this.shown < READABLE_MS) return;
    this.shown = now;
    for (const figure of FIGURES) {
      const value = this.values.get(figure.key)!;
      const text = figure.text(report, page);
      if (value.textContent !== text) value.textContent = text;
      value.parentElement!.hidden = text === "";
    }
    // A slow machine is no accident; only a motion that failed is.
    this.values.get("deadline")!.className = report.status === "diverged" ? "bad" : "";
  }
}

const COLOURS = ["#5aa9e6", "#f2b33d", "#e4647a", "#7bc47f", "#b48ee0", "#8fa3b8", "#e08e5a"];

class Curves {
  private readonly plot: uPlot;
  private readonly data: number[][];

  constructor(host: HTMLElement, title: string, readonly names: string[], size: { width: number; height: number }) {
    this.data = [[], ...names.map(() => [])];
    const axis = { stroke: "currentColor", font: "10px system-ui, sans-serif", grid: { stroke: "rgba(128,140,160,.18)", width: 1 }, ticks: { show: false } };
    this.plot = new uPlot(
      {
        title, ...size,
        cursor: { show: false }, legend: { live: false },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 22, gap: 1, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toPrecision(4))} s`) }, { ...axis, size: 44, gap: 2, values: (_, ticks) => ticks.map((tick) => (Math.abs(tick) >= 1e5 || (tick && Math.abs(tick) < 1e-3) ? tick.toExponential(0) : String(Number(tick.toPrecision(4))))) }],
        series: [{}, ...names.map((label, n) => ({ label, stroke: COLOURS[n % COLOURS.length], width: 1.5, points: { show: false } }))],
      },
      this.data as uPlot.AlignedData,
      host,
    );
  }

  add(time: number, values: number[]): void {
    if (this.data[0].length && time <= this.data[0][this.data[0].length - 1]) for (const column of this.data) column.length = 0;
    this.data[0].push(time);
    values.forEach((value, n) => this.data[n + 1].push(value));
    if (this.data[0].length > KEPT) for (const column of this.data) column.shift();
    this.plot.setData(this.data as uPlot.AlignedData);
  }

  destroy(): void {
    this.plot.destroy();
  }
}

export class Plots {
  private stages: Curves | null = null;
  private energy: Curves | null = null;
  private momentum: Curves | null = null;
  private readonly figures = new Figures();

  constructor(private readonly host: HTMLElement) {}

  get isOpen(): boolean {
    return !this.host.hidden;
  }

  toggle(): void {
    this.host.hidden = !this.host.hidden;
    if (this.host.hidden) this.clear();
  }

  clear(): void {
    for (const curves of [this.stages, this.energy, this.momentum]) curves?.destroy();
    this.stages = this.energy = this.momentum = null;
    this.host.replaceChildren();
    this.figures.clear();
  }

  add(report: Report): void {
    if (!this.isOpen) return;
    const names = Object.keys(report.stages);
    if (this.stages && names.join() !== this.stages.names.join()) this.clear();
    if (!this.stages) {
      const size = { width: innerWidth < 1100 ? 250 : 300, height: innerHeight < 700 ? 64 : 110 };
      this.stages = new Curves(this.host, "Stages [ms]", names, size);
      this.energy = new Curves(this.host, "Energy [J]", ["kinetic", "potential", "total"], size);
      this.momentum = new Curves(this.host, "Momentum [kg·m/s, kg·m²/s]", ["linear", "angular"], size);
      this.host.append(this.figures.button("energy.csv"));
    }
    this.figures.add("", report);
    this.stages.add(report.time, names.map((name) => report.stages[name]));
    this.energy!.add(report.time, [report.kinetic_energy, report.potential_energy, report.kinetic_energy + report.potential_energy]);
    this.momentum!.add(report.time, [report.momentum, report.angular_momentum]);
  }
}
