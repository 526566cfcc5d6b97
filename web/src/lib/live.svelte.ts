// The one websocket of the page: it reconnects by itself and catches up with what was missed.

import { CLOSED } from "../wire/tables";
import { away, Refused } from "./api";
import { server } from "./server.svelte";
import type { AnyRequest, Failed, Message, Room } from "./types";
import { words } from "./words";

type Connection = "connecting" | "connected" | "away";
type Listener = (message: Message) => void;
/** What can be asked for; its number comes of itself. */
type Asked = AnyRequest extends infer One
  ? One extends AnyRequest
    ? Omit<One, "id">
    : never
  : never;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const PATIENCE = 15_000;
const SOON = 6_000;
/** A line that broke without a word is noticed after so long. */
const HEARTBEAT = 25_000;

interface Watched {
  listener: Listener;
  /** How far this page has come; null if it wants to hear everything. */
  last: () => number | null;
  /** The last remark that is known, and in which room it was said. */
  chat: () => { chat: number; room: Room | null };
}

interface Waiting {
  done: (message: Message) => void;
  failed: (error: Refused) => void;
}

class Live {
  state = $state<Connection>("connecting");
  /** When it is tried again, by this browser's clock. */
  nextTry = $state(0);
  /** Why the server wants no connection from here, in its words. */
  reason = $state("");
  /** Called when a connection that was lost is there again. */
  reopened: () => void = () => {};

  #socket: WebSocket | null = null;
  #watched = new Map<string, Watched>();
  #lobby: Listener | null = null;
  #waiting = new Map<number, Waiting>();
  #id = 0;
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #before = false;
  /** What was known so far is of no use: somebody else asks, or a message made no sense. */
  #anew = false;

  constructor() {
    const look = (): void => {
      if (document.hidden) return;
      if (this.state === "away") this.retry();
      else this.#beat();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    setInterval(() => document.hidden || this.#beat(), HEARTBEAT);
    server.whenBack(() => this.state === "away" && this.retry());
  }

  /** Follow a game; the answer stops it. */
  watch(game: string, watched: Watched): () => void {
    this.#watched.set(game, watched);
    this.#open();
    if (this.#isOpen) this.#sendWatch(game, watched);
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
  request(message: Asked, patience = PATIENCE): Promise<Message> {
    return new Promise((done, failed) => {
      const id = ++this.#id;
      if (!this.#send({ ...message, id })) {
        failed(away(words.problem.notSent));
        return;
      }
      this.#waiting.set(id, { done, failed });
      setTimeout(() => {
        if (this.#waiting.delete(id)) failed(away(words.problem.unsure));
      }, patience);
    });
  }

  /** Start again with the cookie of now: after signing in or out. */
  renew(): void {
    if (!this.#socket && !this.#before) {
      this.reopened(); // nothing was open: only who we are must be asked again
      return;
    }
    this.#before = true;
    this.#anew = true;
    const old = this.#socket;
    this.#forget();
    old?.close();
    this.state = "connecting";
    this.retry();
  }

  /** Try to connect at once. */
  retry(): void {
    clearTimeout(this.#timer);
    this.#open();
  }

  get #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #open(): void {
    if (this.#socket) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    const slow = setTimeout(() => this.#drop(socket), SOON);
    socket.onopen = () => {
      clearTimeout(slow);
      this.state = "connected";
      this.reason = "";
      for (const [game, watched] of this.#watched) this.#sendWatch(game, watched);
      this.#anew = false;
      if (this.#lobby) this.#send({ type: "lobby", follow: true });
      if (this.#before) this.reopened();
      this.#before = true;
    };
    socket.onmessage = (event) => this.#received(socket, String(event.data));
    socket.onclose = ({ code, reason }) => {
      clearTimeout(slow);
      this.#lost(socket, code, reason);
    };
  }

  #received(socket: WebSocket, text: string): void {
    try {
      this.#heard(JSON.parse(text) as Message);
      this.#pause = FIRST_PAUSE;
    } catch {
      // It made no sense, or led to none: everything is asked for again, in longer and longer pauses.
      this.#anew = true;
      this.#drop(socket);
    }
  }

  /** Give a connection up without waiting for the other side to agree. */
  #drop(socket: WebSocket): void {
    this.#lost(socket);
    socket.close();
  }

  #lost(socket: WebSocket, code = 0, reason = ""): void {
    if (this.#socket !== socket) return;
    const had = this.state === "connected";
    this.#forget();
    // Most come back at once; only then it is worth a word.
    this.state = had && code !== CLOSED.refused ? "connecting" : "away";
    if (code === CLOSED["somebody else"]) this.#anew = true;
    if (code === CLOSED.refused) {
      this.reason = reason;
      this.#pause = LONGEST_PAUSE;
    }
    // Not all at the same moment, when a server with many visitors starts again.
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.nextTry = Date.now() + pause;
    this.#timer = setTimeout(() => this.#open(), pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  #forget(): void {
    this.#socket = null;
    for (const { failed } of this.#waiting.values()) failed(away(words.problem.unsure));
    this.#waiting.clear();
  }

  #beat(): void {
    const socket = this.#socket;
    if (!this.#isOpen || !socket) return;
    // Whoever does not answer at all is gone; a refusal is an answer too.
    this.request({ type: "ping" }, SOON).catch((error: unknown) => {
      if (error instanceof Refused && error.problem.type === "away") this.#drop(socket);
    });
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
      failed: ({ problem }) => {
        if (problem.type !== "away") watched.listener({ type: "problem", id: 0, problem });
      },
    });
    const known = this.#anew
      ? { last: null, chat: 0 }
      : { last: watched.last(), ...watched.chat() };
    this.#send({ type: "watch", id, game, ...known });
  }

  #send(message: Asked | AnyRequest): boolean {
    if (!this.#isOpen) return false;
    this.#socket!.send(JSON.stringify(message));
    return true;
  }
}

export const live = new Live();
