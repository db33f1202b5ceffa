// Confirms every edit in a word, once the server has made it.
import type { ClientMessage, State } from "./protocol";

/** What was done, by the message that asked for it. */
const WORDS: Partial<Record<ClientMessage["type"], string>> = {
  cut: "Cut", sew: "Sewn", shrink: "Gathered", erase: "Erased", undo: "Undone", redo: "Done again", toggle_pin: "Pinned", reset: "Started again",
};

export class Confirmation {
  private asked: { type: ClientMessage["type"]; before: State | null } | null = null;

  /** Take note of what is asked. */
  sent(message: ClientMessage, state: State | null): void {
    if (WORDS[message.type]) this.asked = { type: message.type, before: state };
  }

  /** It was refused, and that is told already. */
  refused(about: string): void {
    if (this.asked?.type === about) this.asked = null;
  }

  /** What to say now that the server stands here; null if nothing was asked. */
  heard(state: State): string | null {
    if (!this.asked) return null;
    const { type, before } = this.asked;
    this.asked = null;
    if (type === "undo") return before?.undo_label ? `Undone: ${before.undo_label}` : WORDS.undo!;
    if (type === "redo") return state.undo_label ? `Done again: ${state.undo_label}` : WORDS.redo!;
    if (type === "toggle_pin") return state.undo_label === "unpin" ? "Unpinned" : "Pinned";
    return WORDS[type]!;
  }
}
