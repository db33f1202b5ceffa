// Curves of both sides over one axis of time.
import uPlot from "uplot";

/** Points of a curve that are kept. */
const KEPT = 1500;

export const SIDE_COLOURS = ["#5aa9e6", "#f2b33d"];

export class Overlay {
  private readonly plot: uPlot;
  /** Times, and a column for each curve; null where a curve has no point. */
  private data: (number | null)[][] = [];

  constructor(host: HTMLElement, title: string, private readonly names: string[], size: { width: number; height: number }) {
    const axis = { stroke: "currentColor", font: "10px system-ui, sans-serif", grid: { stroke: "rgba(128,140,160,.18)", width: 1 }, ticks: { show: false } };
    this.data = [[], ...names.map(() => [])];
    this.plot = new uPlot(
      {
        title, ...size, cursor: { show: false }, legend: { live: false }, scales: { x: { time: false } },
        axes: [
          { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toPrecision(4))} s`) },
          { ...axis, size: 52, gap: 2, values: (_, ticks) => ticks.map((tick) => (Math.abs(tick) >= 1e5 || (tick && Math.abs(tick) < 1e-3) ? tick.toExponential(0) : String(Number(tick.toPrecision(4))))) },
        ],
        series: [{}, ...names.map((label, n) => ({ label, stroke: SIDE_COLOURS[n % 2], dash: n < 2 ? [] : [4, 4], width: 1.5, spanGaps: true, points: { show: false } }))],
      },
      this.data as uPlot.AlignedData,
      host,
    );
  }

  clear(): void {
    this.data = [[], ...this.names.map(() => [])];
    this.plot.setData(this.data as uPlot.AlignedData);
  }

  /** Add points of some curves, by their numbers, at a time [s]; the sides report at different moments. */
  add(time: number, values: Map<number, number>): void {
    const times = this.data[0] as number[];
    let row = times.length;
    while (row > 0 && times[row - 1] > time) row--;
    if (row > 0 && times[row - 1] === time) row--;
    else this.data.forEach((column, n) => column.splice(row, 0, n ? null : time));
    for (const [curve, value] of values) this.data[curve + 1][row] = value;
    if (times.length > KEPT) for (const column of this.data) column.shift();
    this.plot.setData(this.data as uPlot.AlignedData);
  }

  /** Number of points of a curve, for tests. */
  count(curve: number): number {
    return this.data[curve + 1].filter((value) => value !== null).length;
  }
}
