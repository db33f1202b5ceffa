// Adaptive quality: where drawing cannot keep up with the simulation, less is drawn: first shadows, then triangles, then pixels.

/** What is spared, from nothing on. */
const LEVELS = [
  { shadowMilliseconds: 0, isCoarse: false, pixels: 1 },
  { shadowMilliseconds: 90, isCoarse: false, pixels: 1 },
  { shadowMilliseconds: 150, isCoarse: true, pixels: 1 },
  { shadowMilliseconds: 150, isCoarse: true, pixels: 0.75 },
  { shadowMilliseconds: 150, isCoarse: true, pixels: 0.56 },
];
/** A turn of the page that takes longer than this on average is too slow [ms]. */
const SLOW_MS = 24;
const WINDOW_MS = 1000;
/** From this level on a hand that holds something matters more than beauty: it must be followed at once. */
const URGENT_LEVEL = 2;
const URGENT = { shadowMilliseconds: 1000, pixels: 0.6 };

export class AdaptiveQuality {
  private level: number;
  private windowStart = 0;
  private turns = 0;
  private slowWindows = 0;
  private lastShadow = 0;
  private isHeld = false;

  /** Begin at a level; `last` is the most that may be spared. */
  constructor(private readonly first: number, private readonly last: number) {
    this.level = first;
  }

  /** Whether fine grids are drawn with fewer triangles. */
  get isCoarse(): boolean {
    return LEVELS[this.level].isCoarse;
  }

  /** Pixels along a side, as a part of all. */
  get pixels(): number {
    return LEVELS[this.level].pixels * (this.isUrgent ? URGENT.pixels : 1);
  }

  private get isUrgent(): boolean {
    return this.isHeld && this.level >= URGENT_LEVEL;
  }

  /** Take note whether a hand holds something; tells whether more or fewer pixels are to be drawn from now on. */
  hold(isHeld: boolean): boolean {
    const before = this.pixels;
    this.isHeld = isHeld;
    return this.pixels !== before;
  }

  /** Try everything again, for a new world. */
  restart(): void {
    this.level = this.first;
    this.forget();
  }

  /** Let the time until now not count. */
  forget(): void {
    this.turns = this.slowWindows = 0;
    this.windowStart = performance.now();
  }

  /** Count a turn; tells whether fewer pixels are to be drawn from now on. */
  turned(): boolean {
    const now = performance.now();
    this.turns += 1;
    if (now - this.windowStart < WINDOW_MS) return false;
    const isSlow = (now - this.windowStart) / this.turns > SLOW_MS;
    this.windowStart = now;
    this.turns = 0;
    this.slowWindows = isSlow ? this.slowWindows + 1 : 0;
    // One slow second may be anything; two in a row are a habit.
    if (this.slowWindows < 2 || this.level === this.last) return false;
    this.slowWindows = 0;
    const before = this.pixels;
    this.level += 1;
    return this.pixels !== before;
  }

  /** Whether shadows are due; they may lag behind what throws them by a few frames. */
  isShadowDue(): boolean {
    const now = performance.now();
    const wait = this.isUrgent ? URGENT.shadowMilliseconds : LEVELS[this.level].shadowMilliseconds;
    if (now - this.lastShadow < wait) return false;
    this.lastShadow = now;
    return true;
  }
}
