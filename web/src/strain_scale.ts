// The scale of strain: goes as far as what is there, in round steps, and says how far.
import type { Bodies } from "./bodies";
import { byId } from "./element";

/** Where the hottest colour may stand [-]. */
const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3.2];
/** A smaller scale is taken only after it would have been enough for so long [ms]. */
const PATIENCE_MS = 3000;
/** Share of all points whose strain must fit; single ones may be beyond. */
const FITTING = 0.995;

export class StrainScale {
  private full = 0.1;
  private enoughSince = 0;

  /** Fit the scale to a frame; tells whether it is another one now. */
  fit(bodies: Bodies, now: number): boolean {
    const strains = bodies.strains().sort();
    const most = strains.length ? strains[Math.min(strains.length - 1, Math.floor(FITTING * strains.length))] : 0;
    const fitting = STEPS.find((step) => step >= most) ?? STEPS[STEPS.length - 1];
    if (fitting >= this.full) this.enoughSince = now;
    if (fitting === this.full || (fitting < this.full && now - this.enoughSince < PATIENCE_MS)) return false;
    this.full = fitting;
    this.enoughSince = now;
    this.tell();
    return true;
  }

  /** Strain of the hottest colour [-]. */
  get value(): number {
    return this.full;
  }

  private tell(): void {
    const text = `${Number((100 * this.full).toPrecision(2))}\u202f% strain`;
    byId("strain-most").textContent = text;
    byId("strain-key").ariaLabel = `Colours of strain, from 0 to ${text}`;
  }
}
