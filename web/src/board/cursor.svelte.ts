// The square that the keys are on, where each key leads from there, and what it does.
import { type Layout, neighbour } from "./geometry";
import type { Marks } from "./marks";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What there is to walk over, and who is told. */
interface Ends {
  /** The squares that the keys walk over. */
  walk: () => Layout;
  marks: () => Marks;
  movable: () => ReadonlySet<string>;
  hover: (square: string) => void;
  tap: (square: string) => void;
  /** What takes off, where that can be done. */
  remove: () => ((square: string) => void) | undefined;
  escape: () => void;
}

export class Cursor {
  square = $state<string | null>(null);
  focused = $state(false);
  /** Rings are for those who use keys; a finger knows where it is. */
  keyed = $state(false);
  #ends: Ends;

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  /** The board has got the focus. */
  enter(keyed: boolean): void {
    this.focused = true;
    this.keyed = keyed;
    this.square ??= this.#first();
  }

  /** A pointer goes on from here. */
  point(square: string | undefined): void {
    this.keyed = false;
    this.square = square ?? this.square;
  }

  key = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    this.keyed = true;
    const remove = this.#ends.remove();
    const arrow = ARROWS[event.key];
    const here = this.square ?? this.#first();
    if (arrow) {
      this.#go(neighbour(this.#ends.walk(), here, ...arrow));
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "n" || event.key === "N") {
      this.#go(this.#leap(here, event.shiftKey ? -1 : 1));
    } else if (event.key === "Enter" || event.key === " ") {
      this.square = here;
      this.#ends.tap(here);
      event.preventDefault();
    } else if (remove && (event.key === "Delete" || event.key === "Backspace")) {
      this.square = here;
      remove(here);
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.#ends.escape();
    }
  };

  #go(square: string): void {
    this.square = square;
    this.#ends.hover(square);
  }

  /** Where the keys begin: with what is chosen, what happened last, or what can be done. */
  #first(): string {
    const { selected, last } = this.#ends.marks();
    const { squares } = this.#ends.walk();
    const places = [selected, last.at(-1)?.to, this.#able()[0], squares[0]?.name];
    return places.find((name) => name && squares.some((each) => each.name === name)) ?? "";
  }

  /** The squares that something can be done with, in the order in which they are read. */
  #able(): string[] {
    const { targets } = this.#ends.marks();
    const able = targets.size ? targets : this.#ends.movable();
    return this.#ends
      .walk()
      .squares.filter(({ name }) => able.has(name))
      .sort((a, b) => a.y - b.y || a.x - b.x)
      .map(({ name }) => name);
  }

  #leap(from: string, way: 1 | -1): string {
    const able = this.#able();
    const at = able.indexOf(from);
    const to = at < 0 ? (way === 1 ? 0 : -1) : (at + way) % able.length;
    return able.at(to) ?? from;
  }
}
