// How pieces are seen going from one board to the next: they slide, what was taken sinks, shots fly.
import { tick, untrack } from "svelte";
import { moves } from "../lib/settings.svelte";
import type { PieceAt } from "../lib/types";
import { arrive, type Change, follow, type Standing } from "./follow";
import { type Layout, UNIT } from "./geometry";
import type { Marks } from "./marks";

const SLIDE = 160;
const LONG_SLIDE = 220;
const SINK = 140;
const FLIGHT = 180;
const CALM = 80;
// More changes than one turn brings: somebody leafs through the game, and nothing travels.
const MANY = 5;

/** The board of now. */
interface Now {
  pieces: () => PieceAt[];
  plan: () => Layout;
  marks: () => Marks;
  /** Pieces are put, not moved: nothing slides. */
  still: () => boolean;
}

export class Motion {
  standing = $state.raw<Standing[]>([]);
  sinking = $state.raw<{ each: Standing; delay: number }[]>([]);
  flights = $state.raw<{ id: number; from: string; to: string }[]>([]);
  moving = $state(false);
  /** Where a piece was carried by hand: it is there already. */
  carried: string | null = null;

  #now: Now;
  #seen: PieceAt[];
  #end: ReturnType<typeof setTimeout> | undefined;
  #figures = new Map<number, SVGGElement>();

  constructor(now: Now) {
    this.#now = now;
    this.#seen = untrack(now.pieces);
    this.standing = arrive(this.#seen);
    $effect.pre(() => {
      const next = now.pieces();
      untrack(() => this.#go(next));
    });
  }

  /** Keeps the figure of a piece, which is to be moved. */
  figure = (element: SVGGElement, id: number): { destroy: () => void } => {
    this.#figures.set(id, element);
    return { destroy: () => this.#figures.delete(id) };
  };

  #go(next: PieceAt[]): void {
    if (next === this.#seen) return;
    this.#seen = next;
    const change = follow(this.standing, next, this.#now.marks().last.at(-1));
    const changes = change.moved.length + change.gone.length;
    // Whoever moves passes over the others, and who is still on the way goes on like that.
    const movers = changes
      ? new Map(change.moved.map(({ id }) => [id, 1]))
      : new Map(this.standing.map(({ id }, i) => [id, i]));
    const height = ({ id }: Standing): number => movers.get(id) ?? 0;
    this.standing = change.standing.toSorted((a, b) => height(a) - height(b));
    if (changes) {
      this.sinking = [];
      this.flights = [];
      if (!this.#now.still() && changes <= MANY) void this.#animate(change);
    }
    this.carried = null;
  }

  async #animate({ moved, gone }: Change): Promise<void> {
    const { last } = this.#now.marks();
    const shots = new Map(last.flatMap(({ from, struck }) => struck.map((at) => [at, from])));
    const travelling = moved.filter(({ to }) => to !== this.carried);
    const calm = !moves();
    if (!calm) {
      this.flights = gone.flatMap(({ id, piece }) => {
        const from = shots.get(piece.at);
        return from ? [{ id, from, to: piece.at }] : [];
      });
      this.sinking = gone.map((each) => ({
        each,
        delay: shots.has(each.piece.at) ? FLIGHT : travelling.length ? SLIDE / 2 : 0,
      }));
    }
    this.moving = true;
    await tick();
    const plan = this.#now.plan();
    for (const { id, from, to } of travelling) {
      const a = plan.by.get(from);
      const b = plan.by.get(to);
      const figure = this.#figures.get(id);
      if (!a || !b || !figure?.animate) continue;
      if (calm) {
        figure.animate([{ opacity: 0 }, { opacity: 1 }], CALM);
        continue;
      }
      const far = Math.hypot(a.x - b.x, a.y - b.y) > 4.2 * UNIT;
      const path = [a, b].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
      figure.animate(path, { duration: far ? LONG_SLIDE : SLIDE, easing: "ease-out" });
    }
    clearTimeout(this.#end);
    this.#end = setTimeout(
      () => {
        this.moving = false;
        this.sinking = [];
        this.flights = [];
      },
      calm ? CALM : FLIGHT + SINK + 40,
    );
  }
}
