// One camera for two views.
import type { Stage } from "./stage";

/** Two views look from the same place: what one camera does the other does too. */
export function lookTogether(a: Stage, b: Stage): void {
  let isFollowing = false;
  const follow = (from: Stage, to: Stage) => () => {
    if (isFollowing) return;
    isFollowing = true;
    to.camera.position.copy(from.camera.position);
    to.controls.target.copy(from.controls.target);
    to.controls.update();
    to.isDirty = true;
    isFollowing = false;
  };
  a.controls.addEventListener("change", follow(a, b));
  b.controls.addEventListener("change", follow(b, a));
}
