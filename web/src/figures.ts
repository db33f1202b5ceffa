// Energy, stretch and momentum over time, as a table for other programs.
import { save } from "./download";
import { element } from "./element";
import type { Report } from "./protocol";

/** Rows that are kept: half an hour. */
const MOST_ROWS = 20_000;

const COLUMNS: [string, (report: Report) => number | string][] = [
  ["time_s", (r) => r.time],
  ["kinetic_J", (r) => r.kinetic_energy],
  ["potential_J", (r) => r.potential_energy],
  ["total_J", (r) => r.kinetic_energy + r.potential_energy],
  ["momentum_kg_m_s", (r) => r.momentum],
  ["angular_momentum_kg_m2_s", (r) => r.angular_momentum],
  ["max_stretch", (r) => r.max_stretch],
  ["milliseconds", (r) => r.milliseconds],
  ["status", (r) => r.status],
];

export class Figures {
  private rows: string[] = [];

  clear(): void {
    this.rows = [];
  }

  add(side: string, report: Report): void {
    this.rows.push([side, ...COLUMNS.map(([, value]) => value(report))].join(","));
    if (this.rows.length > MOST_ROWS) this.rows.shift();
  }

  get csv(): string {
    return [["side", ...COLUMNS.map(([name]) => name)].join(","), ...this.rows, ""].join("\n");
  }

  /** A button that puts the table among the downloads. */
  button(name: string): HTMLButtonElement {
    const button = element("button", { type: "button", className: "csv", textContent: "CSV", title: "Download these figures as a table" });
    button.addEventListener("click", () => save(new Blob([this.csv], { type: "text/csv" }), name));
    return button;
  }
}
