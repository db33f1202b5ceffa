// The one WebSocket: says hello, hands on what is said, comes back after a break.
import { CLOSE_BAD_HELLO, CLOSE_BAD_LINK, CLOSE_CROWDED, VERSION } from "./protocol";
import type { ClientMessage, ServerMessage } from "./protocol";

export type Trouble = "lost" | "bad-link" | "bad-version" | "crowded";

export interface Listener {
  message(message: ServerMessage): void;
  binary(buffer: ArrayBuffer): void;
  trouble(kind: Trouble, reason: string): void;
}

const RETRY_MS = [300, 600, 1000, 2000];

export class Socket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private isWelcome = false;

  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly listener: Listener,
  ) {}

  connect(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.isWelcome = false;
    socket.onopen = () => this.send({ type: "hello", version: VERSION, token: this.token });
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data !== "string") return this.listener.binary(event.data);
      const message = JSON.parse(event.data) as ServerMessage;
      if (message.type === "welcome") {
        this.isWelcome = true;
        this.attempt = 0;
      }
      this.listener.message(message);
    };
    socket.onclose = (event) => this.closed(event);
  }

  private closed(event: CloseEvent): void {
    this.socket = null;
    this.isWelcome = false;
    if (event.code === CLOSE_BAD_LINK) return this.listener.trouble("bad-link", event.reason);
    if (event.code === CLOSE_BAD_HELLO) return this.listener.trouble("bad-version", event.reason);
    this.listener.trouble(event.code === CLOSE_CROWDED ? "crowded" : "lost", event.reason);
    const wait = RETRY_MS[Math.min(this.attempt, RETRY_MS.length - 1)];
    this.attempt += 1;
    setTimeout(() => this.connect(), wait);
  }

  send(message: ClientMessage): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (!this.isWelcome && message.type !== "hello") return;
    this.socket.send(JSON.stringify(message));
  }
}
