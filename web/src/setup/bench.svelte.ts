// One player's setup on the workbench: what it is, what is in hand, and what the server says of it.
import { get, post, put, Refused } from "../lib/api";
import { server } from "../lib/server.svelte";
import { play as sound } from "../lib/sound";
import type { BoardStyle, Checked, Draft, RuleSetPage, Seat, SetupDocument } from "../lib/types";
import type { Thing } from "./arrange";
import * as arrange from "./arrange";
import { type Kit, kitOf } from "./tools";

export type Layer = "pieces" | "ground" | "tiles";
export type Hand = Thing | { kind: "brush"; ground: string } | { kind: "tile"; name: string };

const CHECK_AFTER = 40;
const SAVE_AFTER = 300;
/** A draft that was refused is tried again: the server may have had too much to do. */
const SAVE_AGAIN = 5_000;
const MOST_UNDONE = 100;

export class Bench {
  doc = $state.raw<SetupDocument | null>(null);
  checked = $state.raw<Checked | null>(null);
  layer = $state<Layer>("pieces");
  hand = $state.raw<Hand | null>(null);
  /** The square that was lifted from; in the layer of tiles any square of the slot. */
  selected = $state<string | null>(null);
  trouble = $state<string | null>(null);
  /** Where the thing in hand may stand in the end, as the server has said; empty until then. */
  places = $state.raw<string[]>([]);
  /** How often it can be undone. */
  depth = $state(0);
  /** What is in hand or was lifted and belongs on squares. */
  readonly thing = $derived.by<Thing | null>(() => {
    const { hand } = this;
    if (hand) return hand.kind === "piece" || hand.kind === "mark" ? hand : null;
    if (!this.doc || !this.selected || this.layer !== "pieces") return null;
    return arrange.thingAt(this.kit, this.doc, this.selected);
  });
  readonly kit: Kit;
  readonly mirror: Map<string, string> | null;
  readonly home: Set<string>;

  #past: SetupDocument[] = [];
  /** One of several was put down, and the next is in hand without having been asked for. */
  #goingOn = false;
  #checking: ReturnType<typeof setTimeout> | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #submitted: SetupDocument | undefined;
  /** The thing whose places are known or asked for. */
  #sought = "";
  /** What is here and not yet on the server. */
  #unsaved = false;
  /** It is being submitted, or was: no draft may follow. */
  #resting = false;
  /** Drafts go one after the other: none can overtake a later one. */
  #underWay: Promise<void> = Promise.resolve();
  readonly #stopListening: () => void;

  constructor(
    readonly rules: RuleSetPage,
    readonly seat: Seat,
    readonly game: string,
    readonly style: BoardStyle,
  ) {
    this.kit = kitOf(rules, seat);
    this.mirror = arrange.mirrorOf(style, seat);
    this.home = new Set(
      style.squares.filter((square) => square.home === seat).map((square) => square.name),
    );
    this.#stopListening = server.whenBack(() => this.#back());
  }

  /** Open with what was there, or with a good setup: changing it is a choice, never a duty. */
  async open(submitted: SetupDocument | undefined): Promise<void> {
    this.#submitted = submitted;
    await this.#try(async () => {
      let setup = submitted ?? null;
      setup ??= (await get<Draft>(this.#draft)).setup;
      const fresh = setup === null;
      setup ??= await this.#some("good");
      if (this.#closed) return;
      this.doc = setup;
      this.#check(0);
      if (fresh) this.#save(0);
    });
  }

  /** It is to be submitted, once the draft under way has arrived: later it would be refused. */
  rest(): Promise<void> {
    this.#resting = true;
    this.letGo();
    clearTimeout(this.#saving);
    return this.#underWay;
  }

  /** It was not submitted after all, or is changed again: then the draft must be safe. */
  wake(): void {
    this.#resting = false;
    if (this.#unsaved) this.#save(0);
  }

  /** The server answers again: nothing that was done meanwhile is lost. */
  #back(): void {
    this.trouble = null;
    if (!this.doc) void this.open(this.#submitted);
    else {
      this.#check(0);
      if (this.#unsaved) this.#save(0);
    }
  }

  /** Nothing of this setup may be kept or sent any more. */
  close(): void {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#checking);
    clearTimeout(this.#saving);
    this.doc = this.checked = null;
    this.#past = [];
  }

  // --- changing it -------------------------------------------------------------------------------

  /** Take the next step; `more` of the last one is undone together with it. */
  change(next: SetupDocument, more = false): void {
    if (!this.doc || next === this.doc) return;
    if (!more) this.#past = [...this.#past.slice(-MOST_UNDONE), this.doc];
    this.depth = this.#past.length;
    this.#become(next);
  }

  undo(): void {
    const before = this.#past.pop();
    this.depth = this.#past.length;
    if (before) this.#become(before);
  }

  #become(next: SetupDocument): void {
    this.doc = next;
    this.selected = null;
    this.trouble = null;
    this.#check(CHECK_AFTER);
    this.#save(SAVE_AFTER);
  }

  async fill(kind: "good" | "random"): Promise<void> {
    await this.#try(async () => {
      const before = JSON.stringify(this.doc);
      let next = await this.#some(kind);
      // Good setups are few; drawing the one that stands there would look like doing nothing.
      for (let i = 0; i < 8 && JSON.stringify(next) === before; i++) next = await this.#some(kind);
      this.change(next);
    });
  }

  /** Take a setup of either colour. */
  async take(setup: SetupDocument | string, color: Seat): Promise<void> {
    await this.#try(async () => {
      const path = `rules/${this.rules.id}`;
      if (color !== this.seat) {
        this.change(await post<SetupDocument>(`${path}/turned`, { setup, color }));
      } else if (typeof setup === "string") {
        this.change((await post<Checked>(`${path}/check`, { setup, color })).setup);
      } else this.change(setup);
    });
  }

  clear(): void {
    if (this.doc) this.change(arrange.cleared(this.kit, this.doc));
  }

  mirrorIt(): void {
    if (this.doc && this.mirror) this.change(arrange.mirrored(this.kit, this.doc, this.mirror));
  }

  choose(layout: string): void {
    const { slots } = this.kit;
    if (this.doc && slots) this.change(arrange.layoutChosen(this.kit, slots, this.doc, layout));
  }

  // --- hands -------------------------------------------------------------------------------------

  pick(hand: Hand): void {
    const same = JSON.stringify(hand) === JSON.stringify(this.hand);
    this.letGo();
    this.hand = same ? null : hand;
    if (this.hand) sound("lift");
  }

  letGo(): void {
    this.#goingOn = false;
    this.hand = null;
    this.selected = null;
  }

  show(layer: Layer): void {
    this.letGo();
    this.layer = layer;
  }

  /** Begin with what a problem is about: its layer is shown, and what is missing is in hand. */
  begin(name: string): void {
    const { doc, kit } = this;
    if (!doc || !name) return;
    if (kit.slots?.field === name) {
      this.show("tiles");
      const [tile] = arrange.layoutOf(kit.slots, doc) ? arrange.tilesLeft(kit.slots, doc) : [];
      if (tile) this.hand = { kind: "tile", name: tile };
    } else if (kit.brushes.some(({ ground }) => ground === name)) {
      this.show("ground");
      this.hand = { kind: "brush", ground: name };
    } else {
      this.show("pieces");
      const mark = kit.marks.some(({ field }) => field === name);
      const hand: Thing = mark ? { kind: "mark", field: name } : { kind: "piece", name };
      const left = arrange.left(this.rules.pieces, kit, doc).get(arrange.keyOf(hand)) ?? 0;
      if (left > 0) this.hand = hand;
    }
  }

  /** Ask where the thing in hand may stand, on the ground as it lies now. */
  async seek(): Promise<void> {
    const { doc, thing } = this;
    const key = arrange.keyOf(thing);
    if (key !== this.#sought) this.places = [];
    this.#sought = key;
    if (!doc || !thing) return;
    try {
      const name = thing.kind === "piece" ? thing.name : thing.field;
      const body = { setup: doc, color: this.seat, thing: name };
      const found = await post<string[]>(`rules/${this.rules.id}/places`, body);
      if (this.doc === doc && this.#sought === key) this.places = found;
    } catch (error) {
      // Without an answer nothing is marked; what the server thinks of the setup is told anyway.
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** A tap on a square, or Enter. */
  tap(square: string): void {
    if (!this.doc || !this.home.has(square)) return this.letGo();
    const here = this.place(square);
    if (this.hand && !(this.#goingOn && here !== null)) return this.put(this.hand, square);
    this.hand = null;
    if (this.selected === null) {
      if (here !== null) {
        this.selected = square;
        sound("lift");
      }
    } else if (this.place(this.selected) !== here || here === null) {
      this.move(this.selected, square);
    } else if (this.layer === "tiles") {
      this.turn();
    } else this.selected = null;
  }

  /** What a tap on a square means: its slot, the square itself, or nothing to lift. */
  place(square: string): string | null {
    if (!this.doc) return null;
    if (this.layer === "ground") return square;
    if (this.layer === "tiles" && this.kit.slots) {
      return arrange.slotAt(this.kit.slots, this.doc, square);
    }
    return arrange.thingAt(this.kit, this.doc, square) ? square : null;
  }

  put(hand: Hand, square: string, more = false): void {
    const { doc, kit } = this;
    if (!doc || !this.home.has(square)) return;
    sound("place");
    if (hand.kind === "brush") {
      this.change(arrange.painted(this.style, doc, hand.ground, square), more);
    } else if (hand.kind === "tile") {
      const slot = kit.slots && arrange.slotAt(kit.slots, doc, square);
      if (kit.slots && slot) this.change(arrange.tileLaid(kit.slots, doc, slot, hand.name));
      this.hand = null;
    } else {
      const next = arrange.placed(kit, doc, hand, square);
      this.change(next);
      const left = arrange.left(this.rules.pieces, kit, next).get(arrange.keyOf(hand));
      this.#goingOn = (left ?? 0) > 0;
      if (!this.#goingOn) this.hand = null;
    }
  }

  move(from: string, to: string): void {
    const { doc, kit } = this;
    if (!doc || !this.home.has(to)) return;
    if (this.layer === "ground") {
      this.change(arrange.groundsExchanged(this.style, doc, from, to));
    } else if (this.layer === "tiles" && kit.slots) {
      const [one, other] = [from, to].map((at) => arrange.slotAt(kit.slots!, doc, at));
      if (one && other && one !== other) {
        this.change(arrange.tilesExchanged(kit.slots, doc, one, other));
      }
    } else this.change(arrange.moved(kit, doc, from, to));
    this.selected = null;
    sound("place");
  }

  /** Back to the tray. */
  takeOff(square: string | null = this.selected): void {
    const { doc, kit } = this;
    if (!doc || square === null) return;
    if (this.layer === "tiles" && kit.slots) {
      const slot = arrange.slotAt(kit.slots, doc, square);
      if (slot) this.change(arrange.tileLaid(kit.slots, doc, slot, null));
    } else if (this.layer === "pieces" && arrange.thingAt(kit, doc, square)) {
      this.change(arrange.takenOff(kit, doc, square));
    }
    this.selected = null;
  }

  turn(): void {
    const { doc, kit, selected } = this;
    const slot = doc && kit.slots && selected ? arrange.slotAt(kit.slots, doc, selected) : null;
    if (!doc || !kit.slots || !slot) return;
    this.change(arrange.tileTurned(kit.slots, doc, slot));
    this.selected = selected; // so that it can be turned back
    sound("place");
  }

  // --- the server --------------------------------------------------------------------------------

  get #draft(): string {
    return `games/${this.game}/drafts/${this.seat}`;
  }

  #some(kind: "good" | "random"): Promise<SetupDocument> {
    return get(`rules/${this.rules.id}/setup?color=${this.seat}&kind=${kind}`);
  }

  #check(after: number): void {
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => {
      const setup = this.doc;
      void this.#try(async () => {
        const body = { setup, color: this.seat };
        const found = await post<Checked>(`rules/${this.rules.id}/check`, body);
        if (this.doc === setup) this.checked = found;
      });
    }, after);
  }

  #save(after: number): void {
    this.#unsaved = true;
    clearTimeout(this.#saving);
    if (this.#resting) return;
    this.#saving = setTimeout(() => {
      this.#underWay = this.#underWay.then(() => this.#put());
    }, after);
  }

  async #put(): Promise<void> {
    if (this.#resting) return;
    const setup = this.doc;
    await this.#try(async () => {
      try {
        await put(this.#draft, { setup });
      } catch (error) {
        const pause = error instanceof Refused && error.problem.type === "too-often";
        if (pause && !this.#closed) this.#save(SAVE_AGAIN);
        else throw error;
        return;
      }
      if (this.doc === setup) this.#unsaved = false;
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#closed) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!this.#closed) this.trouble = error.message;
    }
  }
}
