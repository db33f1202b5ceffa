// The page's end of the conversation; the socket itself is in a worker (feed.ts).
import { readFrame } from "./decode";
import type { Frame } from "./decode";
import type { FromFeed, ToFeed } from "./feed";
import type { ClientMessage, ServerMessage } from "./protocol";
import type { Trouble } from "./socket";

export type { Trouble } from "./socket";

export interface Listener {
  open(): void;
  message(message: ServerMessage): void;
  geometry(buffer: ArrayBuffer): void;
  frame(frame: Frame): void;
  trouble(kind: Trouble, reason: string): void;
}

export class Connection {
  private worker: Worker | null = null;
  isOpen = false;
  bytesReceived = 0;
  /** Time the worker has spent on frames [ms]. */
  feedMilliseconds = 0;

  constructor(
    private readonly token: string,
    private readonly listener: Listener,
  ) {}

  connect(path = "socket"): void {
    const address = new URL(path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.worker = new Worker("feed.js");
    this.worker.onmessage = (event: MessageEvent<FromFeed>) => this.hear(event.data);
    this.say({ kind: "connect", address: address.href, token: this.token });
  }

  private hear(heard: FromFeed): void {
    switch (heard.kind) {
      case "message":
        if (heard.message.type === "welcome") {
          this.isOpen = true;
          this.listener.open();
        }
        return this.listener.message(heard.message);
      case "geometry":
        this.bytesReceived += heard.buffer.byteLength;
        return this.listener.geometry(heard.buffer);
      case "frame":
        this.bytesReceived += heard.buffer.byteLength;
        this.feedMilliseconds += heard.milliseconds;
        return this.listener.frame({ ...readFrame(heard.buffer), normals: new Int16Array(heard.normals) });
      case "trouble":
        this.isOpen = false;
        return this.listener.trouble(heard.trouble, heard.reason);
    }
  }

  private say(message: ToFeed, transfer: Transferable[] = []): void {
    this.worker?.postMessage(message, transfer);
  }

  send(message: ClientMessage): void {
    this.say({ kind: "send", message });
  }

  /** A frame is taken in, drawn or not: the server may send another. Nothing of `unused` is needed any more. */
  take(frame: Frame, unused: Frame | null): void {
    const spare = (unused?.normals.buffer as ArrayBuffer | undefined) ?? null;
    this.say({ kind: "taken", frame: frame.frame, spare }, spare ? [spare] : []);
  }
}
