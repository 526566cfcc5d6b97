// Dragging in the editor: from the tray, over the board and off it, and with the brush.
import { groundAt, thingAt } from "./arrange";
import type { Bench, Hand } from "./bench.svelte";

interface Held {
  /** The square that it was lifted from; none if it comes from the tray. */
  from: string | null;
  hand: Hand | null;
  x: number;
  y: number;
  startX: number;
  startY: number;
  moved: boolean;
  touch: boolean;
  /** A stroke of the brush has begun: all of it is undone at once. */
  painted: boolean;
}

/** Where it can be put down. */
interface Board {
  squareAt: (x: number, y: number) => string | null;
  focusOn: (square: string) => void;
}

const FAR = 6;

export class Drag {
  held = $state.raw<Held | null>(null);
  #bench: Bench;
  #board: () => Board | null;

  /** What flies with the pointer: not the brush, which paints on its way. */
  readonly flying = $derived.by<Held | null>(() => {
    const { held } = this;
    if (!held?.moved) return null;
    const lifted = held.from === null || (!held.hand && this.#bench.place(held.from) !== null);
    return lifted ? held : null;
  });
  /** The square that it would end on. */
  readonly aim = $derived.by<string | null>(
    () => (this.flying && this.#board()?.squareAt(this.flying.x, this.flying.y)) ?? null,
  );
  /** What can be drawn of it; tiles fly unseen. */
  readonly thing = $derived.by<Hand | null>(() => {
    const { doc, kit, layer, style } = this.#bench;
    if (!this.flying || !doc) return null;
    const { from, hand } = this.flying;
    if (hand || from === null) return hand;
    if (layer === "pieces") return thingAt(kit, doc, from);
    return layer === "ground" ? { kind: "brush", ground: groundAt(style, doc, from) } : null;
  });

  constructor(bench: Bench, board: () => Board | null) {
    this.#bench = bench;
    this.#board = board;
  }

  lift(event: PointerEvent, from: string | null, hand: Hand | null): void {
    if (event.button !== 0) return;
    const { clientX: x, clientY: y } = event;
    const painting = from !== null && this.#bench.hand?.kind === "brush";
    this.held = {
      from,
      hand: painting ? this.#bench.hand : hand,
      x,
      y,
      startX: x,
      startY: y,
      moved: false,
      touch: event.pointerType !== "mouse",
      painted: false,
    };
  }

  move = (event: PointerEvent): void => {
    if (!this.held) return;
    const { clientX: x, clientY: y } = event;
    const far = Math.hypot(x - this.held.startX, y - this.held.startY) > FAR;
    const held = { ...this.held, x, y, moved: this.held.moved || far };
    this.held = held;
    if (held.moved && held.from !== null && held.hand?.kind === "brush")
      this.#paint(held, held.hand.ground);
  };

  /** A brush paints all squares that it is drawn over. */
  #paint(held: Held, ground: string): void {
    const { doc, style } = this.#bench;
    const square = this.#board()?.squareAt(held.x, held.y);
    if (!square || !doc || groundAt(style, doc, square) === ground) return;
    this.#bench.put({ kind: "brush", ground }, square, held.painted);
    held.painted = true;
  }

  up = (event: PointerEvent): void => {
    const { held } = this;
    const bench = this.#bench;
    this.held = null;
    if (!held) return;
    const { from, hand } = held;
    if (!held.moved) {
      if (from !== null) {
        bench.tap(from);
        this.#board()?.focusOn(from);
      } else if (hand) bench.pick(hand);
      return;
    }
    if (from !== null && hand) return; // painted on the way
    const square = this.#board()?.squareAt(event.clientX, event.clientY) ?? null;
    if (hand && square) bench.put(hand, square);
    else if (from !== null && square && bench.place(from) !== null) bench.move(from, square);
    else if (from !== null && !square) bench.takeOff(from);
  };

  cancel = (): void => {
    this.held = null;
  };

  /** What is being dragged is not flung too: a fling would swallow the next tap. */
  holdStill = (event: TouchEvent): void => {
    const { held } = this;
    if (!held?.moved || !event.cancelable) return;
    // Sideways the tray may move.
    const upright = Math.abs(held.y - held.startY) > Math.abs(held.x - held.startX);
    if (held.from !== null || upright) event.preventDefault();
  };
}
