// The one websocket of the page: it reconnects by itself and catches up with what was missed.
import type { Failed, Message, Problem } from "./types";
import { Refused } from "./api";

export type Connection = "connecting" | "connected" | "away";
type Listener = (message: Message) => void;

const LONGEST_PAUSE = 15_000;
const PATIENCE = 15_000;

interface Watched {
  listener: Listener;
  last: () => number | null;
  chat: () => number;
}

class Live {
  state = $state<Connection>("connecting");
  /** Seconds until the next try, while the server is away. */
  retryIn = $state(0);

  #socket: WebSocket | null = null;
  #watched = new Map<string, Watched>();
  #lobby: Listener | null = null;
  #waiting = new Map<number, { done: (m: Message) => void; failed: (e: Error) => void }>();
  #id = 0;
  #pause = 500;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Follow a game; the answer stops it. */
  watch(game: string, watched: Watched): () => void {
    this.#watched.set(game, watched);
    this.#open();
    if (this.#socket?.readyState === WebSocket.OPEN) this.#sendWatch(game, watched);
    return () => {
      this.#watched.delete(game);
      this.#send({ type: "unwatch", game });
    };
  }

  /** Ask for everything anew: something was missed, or the seats have changed. */
  rewatch(game: string): void {
    const watched = this.#watched.get(game);
    if (watched) this.#sendWatch(game, watched);
  }

  followLobby(listener: Listener): () => void {
    this.#lobby = listener;
    this.#open();
    this.#send({ type: "lobby", follow: true });
    return () => {
      this.#lobby = null;
      this.#send({ type: "lobby", follow: false });
    };
  }

  /** Send a request; rejects with the problem in words. */
  request(message: Record<string, unknown>): Promise<Message> {
    return new Promise((done, failed) => {
      const id = ++this.#id;
      if (!this.#send({ ...message, id })) {
        failed(new Refused(AWAY));
        return;
      }
      this.#waiting.set(id, { done, failed });
      setTimeout(() => {
        if (this.#waiting.delete(id)) failed(new Refused(AWAY));
      }, PATIENCE);
    });
  }

  /** Start again with the cookie of now: after signing in or out. */
  renew(): void {
    this.#socket?.close();
  }

  /** Try to connect at once. */
  retry(): void {
    clearTimeout(this.#timer);
    this.#socket = null;
    this.#open();
  }

  #open(): void {
    if (this.#socket) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.state = "connected";
      this.#pause = 500;
      for (const [game, watched] of this.#watched) this.#sendWatch(game, watched);
      if (this.#lobby) this.#send({ type: "lobby", follow: true });
    };
    socket.onmessage = (event) => this.#heard(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => this.#lost(socket);
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    for (const { failed } of this.#waiting.values()) failed(new Refused(AWAY));
    this.#waiting.clear();
    this.state = "away";
    this.retryIn = Math.ceil(this.#pause / 1000);
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #heard(message: Message): void {
    if ("id" in message && message.id) {
      const asked = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.type === "problem") asked?.failed(new Refused((message as Failed).problem));
      else asked?.done(message);
      return;
    }
    if (message.type === "lobby") this.#lobby?.(message);
    else if ("game" in message && message.game) this.#watched.get(message.game)?.listener(message);
  }

  #sendWatch(game: string, watched: Watched): void {
    const id = ++this.#id;
    this.#waiting.set(id, {
      done: () => {},
      failed: (error) => {
        const problem: Problem = error instanceof Refused ? error.problem : AWAY;
        if (problem.type !== "away") watched.listener({ type: "problem", id: 0, problem });
      },
    });
    this.#send({ type: "watch", id, game, last: watched.last(), chat: watched.chat() });
  }

  #send(message: Record<string, unknown>): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}

const AWAY: Problem = {
  title: "The server does not answer",
  status: 0,
  type: "away",
  detail: "The server does not answer. Your game is kept; we are trying again.",
};

export const live = new Live();
