// Controllers that tremble as hard as what they hold is pushed: all the force feedback that a headset has.
import type { XRTargetRaySpace } from "three";
import type { Touch } from "./protocol";

/** Force that is felt as half of what the motor can do [N]. */
const HALF = 2;
/** How long one pulse lasts; the next frame brings another [ms]. */
const PULSE_MS = 40;
/** Weaker pulses are not felt [-]. */
const LEAST = 0.03;

interface Motor {
  pulse(value: number, duration: number): Promise<boolean>;
}

/** Strength of a pulse for a force [N], from 0 to 1: in proportion while it is small, never more than the motor can do. */
export const strength = (force: number): number => force / (force + HALF);

export class Vibration {
  private readonly motors = new Map<number, Motor>();
  /** Strength of the last pulse [-]. */
  lastPulse = 0;

  constructor(rays: XRTargetRaySpace[], firstHand: number) {
    rays.forEach((ray, index) => {
      ray.addEventListener("connected", ({ data }) => {
        const [motor] = (data.gamepad as unknown as { hapticActuators?: Motor[] } | undefined)?.hapticActuators ?? [];
        if (motor) this.motors.set(firstHand + index, motor);
      });
      ray.addEventListener("disconnected", () => this.motors.delete(firstHand + index));
    });
  }

  feel(touch: Touch): void {
    const value = strength(Math.hypot(...touch.force));
    if (value < LEAST) return;
    this.lastPulse = value;
    void this.motors.get(touch.hand)?.pulse(value, PULSE_MS).catch(() => undefined);
  }
}
