// What a mouse or a finger does on the board: it points at squares, taps them, and drags pieces.
import type { Cursor } from "./cursor.svelte";
import { type Layout, nearest, UNIT } from "./geometry";
import type { Motion } from "./motion.svelte";

export interface Drag {
  from: string;
  x: number;
  y: number;
  moved: boolean;
  touch: boolean;
}

/** What there is to point at, and who is told. */
interface Ends {
  svg: () => SVGSVGElement;
  plan: () => Layout;
  /** Squares whose pieces may be dragged. */
  movable: () => ReadonlySet<string>;
  tap: (square: string) => void;
  hover: (square: string | null) => void;
  lift: (from: string) => void;
  drop: (from: string, to: string) => void;
}

export class Pointer {
  drag = $state.raw<Drag | null>(null);
  #start: { x: number; y: number } | null = null;
  #ends: Ends;
  #cursor: Cursor;
  #motion: Motion;

  constructor(ends: Ends, cursor: Cursor, motion: Motion) {
    this.#ends = ends;
    this.#cursor = cursor;
    this.#motion = motion;
  }

  down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const at = this.#point(event);
    const square = this.#square(at);
    this.#start = at;
    this.#cursor.point(square);
    if (square && this.#ends.movable().has(square)) {
      this.drag = { from: square, ...at, moved: false, touch: event.pointerType !== "mouse" };
      this.#ends.svg().setPointerCapture(event.pointerId);
    }
  };

  move = (event: PointerEvent): void => {
    const { drag } = this;
    const at = this.#point(event);
    if (drag && this.#start) {
      const far = Math.hypot(at.x - this.#start.x, at.y - this.#start.y) > UNIT * 0.25;
      if (far && !drag.moved) this.#ends.lift(drag.from);
      this.drag = { ...drag, ...at, moved: drag.moved || far };
    }
    this.#ends.hover(this.#square(at) ?? null);
  };

  up = (event: PointerEvent): void => {
    const { drag } = this;
    const square = this.#square(this.#point(event));
    const begun = this.#start !== null;
    this.cancel();
    this.#motion.carried = drag?.moved ? (square ?? null) : null;
    if (!begun || !square) return;
    if (!drag?.moved) this.#ends.tap(square);
    else if (square !== drag.from) this.#ends.drop(drag.from, square);
  };

  cancel = (): void => {
    this.drag = this.#start = null;
  };

  /** What is dragged is not flung too: a fling would swallow the next tap. */
  holdStill = (event: Event): void => {
    if (this.drag?.moved && event.cancelable) event.preventDefault();
  };

  #point(event: PointerEvent): { x: number; y: number } {
    const matrix = this.#ends.svg().getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: at.x, y: at.y };
  }

  #square({ x, y }: { x: number; y: number }): string | undefined {
    return nearest(this.#ends.plan(), x, y)?.name;
  }
}
