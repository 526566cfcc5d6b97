// What a player does at the table: choosing pieces and squares until a turn is whole, then sending
// it.  Which actions there are only the server says.
import { type Action, asHeld, tapped } from "../lib/actions";
import { get, Refused } from "../lib/api";
import { live } from "../lib/live.svelte";
import { settings } from "../lib/settings.svelte";
import { play as sound } from "../lib/sound";
import type {
  AnyCommand,
  BoardView,
  DangerDocument,
  PieceAt,
  Reason,
  RuleSetPage,
  Seat,
  SentenceDocument,
} from "../lib/types";
import { choices, meanings } from "./choose";
import { foresee } from "./foresee";
import type { GameState } from "./state";
import { turnBefore } from "./turns";

const MOMENT = 4_000;
const OWN_STRUCK = "own_struck";

/** Actions that nobody else has seen yet, and the board after them. */
export interface Ahead {
  actions: Action[];
  board: BoardView;
  /** How many actions had been played: on any other board they are of no use. */
  ply: number;
}

type Told = Pick<SentenceDocument, "template" | "data">;

/** Actions that the server has looked at and not played. */
interface Held extends Ahead {
  /** Whether they make a whole turn. */
  whole: boolean;
  /** What it would give away. */
  risks: SentenceDocument[];
  /** What was held before the last of them. */
  before: Held | null;
}

export class Table {
  #game: () => GameState;
  #rules: () => RuleSetPage;

  /** The square of the chosen piece, or a piece beside the board as `@d`. */
  selected = $state<string | null>(null);
  /** A square that can be meant in several ways. */
  asking = $state<{ square: string; actions: Action[] } | null>(null);
  refused = $state<{ square: string; sentence: string; rule: string } | null>(null);
  notice = $state<string | null>(null);
  sending = $state(false);
  past = $state.raw<{ ply: number; board: BoardView } | null>(null);
  /** The ply that was asked for last; its board may still be on its way. */
  looking = $state<number | null>(null);

  #held = $state.raw<Held | null>(null);
  #sent = $state.raw<Ahead | null>(null);
  /** What waits for more actions, or to be sent. */
  readonly held: Held | null = $derived.by(() => this.#current(this.#held));
  /** What was sent: shown at once as its text tells, until the server has said how it is. */
  readonly sent: Ahead | null = $derived.by(() => this.#current(this.#sent));
  /** Something is on its way: nothing else can be done meanwhile. */
  readonly busy: boolean = $derived.by(() => this.sending || this.sent !== null);

  /** The board on which this player goes on. */
  readonly now: BoardView | null = $derived.by(() => this.held?.board ?? this.#game().board);
  /** What is shown. */
  readonly board: BoardView | null = $derived.by(
    () => this.past?.board ?? this.sent?.board ?? this.now,
  );
  readonly over: boolean = $derived.by(() =>
    ["finished", "aborted"].includes(this.#game().standing.status),
  );
  readonly toAct: Seat | null = $derived.by(() =>
    this.#game().board && !this.over ? this.#game().board!.position.to_move : null,
  );
  /** Whether a turn is chosen to its end and waits to be sent. */
  readonly whole: boolean = $derived.by(() => this.held?.whole ?? false);
  readonly mine: boolean = $derived.by(
    () => this.toAct !== null && this.#game().you.includes(this.toAct) && !this.past,
  );
  readonly options = $derived.by(() =>
    choices(this.mine && !this.whole ? (this.now?.legal_actions ?? []) : []),
  );
  /** What the chosen piece can do. */
  readonly chosen: Action[] = $derived.by(() =>
    this.selected ? (this.options.by.get(this.selected) ?? []) : [],
  );
  /** Every action so far, those included that nobody else has seen. */
  readonly actions: string[] = $derived.by(() => [
    ...this.#game().actions,
    ...((this.sent ?? this.held)?.actions ?? []).map((action) => action.text),
  ]);
  /** What was done in the turn that led to what is shown, in order. */
  readonly turn: string[] = $derived.by(() => {
    const { turns, actions, board } = this.#game();
    const done = turnBefore(turns, this.past?.ply ?? actions.length);
    const ahead = this.past ? null : (this.sent ?? this.held);
    if (!ahead) return done;
    const own = ahead.actions.map((action) => action.text);
    return board?.in_turn ? [...done, ...own] : own;
  });
  /** What the turn that waits would give away: whether it is meant is asked first. */
  readonly risks: SentenceDocument[] = $derived.by(() => this.held?.risks ?? []);
  /** What happened in the turn that led here; what is foreseen or asked about nobody can tell. */
  readonly told: SentenceDocument[] = $derived.by(
    () => (this.past?.board ?? (this.risks.length ? null : this.now))?.told ?? [],
  );
  /** What threatens whoever looks; at one screen, and for onlookers, whoever is to act. */
  readonly dangers: DangerDocument[] = $derived.by(() => {
    const { you } = this.#game();
    const whose = you.length === 1 ? you[0] : this.board?.position.to_move;
    return this.over && !this.past
      ? []
      : (this.board?.dangers ?? []).filter(({ color }) => color === whose);
  });
  /** The sentences of what is asked about, and of dangers that are not asked about already. */
  readonly warnings: SentenceDocument[] = $derived.by(() => {
    const asked = new Set(this.risks.map(idOf));
    const others = this.dangers
      .map(({ said }) => said)
      .filter((said) => !asked.has(idOf(then(said))));
    return [...this.risks, ...others];
  });
  readonly pieces = $derived.by(
    () => new Map((this.board?.position.pieces ?? []).map((piece) => [piece.at, piece])),
  );

  /** The own pieces that would be struck by what is asked about. */
  readonly ownStruck: PieceAt[] = $derived.by(() => {
    const squares = new Set(this.asking?.actions.flatMap(({ victims }) => victims));
    return [...this.pieces.values()].filter(({ at }) => squares.has(at) && this.isOwn(at));
  });

  constructor(game: () => GameState, rules: () => RuleSetPage) {
    this.#game = game;
    this.#rules = rules;
  }

  #current<T extends Ahead>(ahead: T | null): T | null {
    return ahead && ahead.ply === this.#game().board?.ply ? ahead : null;
  }

  /** The game has gone on: what was chosen on the board before is of no use any more. */
  renew(): void {
    this.clear();
    this.#held = this.#sent = null;
    this.present();
  }

  /** Back to the game. */
  present(): void {
    this.past = null;
    this.looking = null;
  }

  clear(): void {
    this.selected = this.asking = this.refused = null;
  }

  /** A square was tapped. */
  tap(square: string): void {
    if (this.busy || this.whole) return;
    this.asking = this.refused = null;
    this.notice = null;
    const { selected, options } = this;
    // On an earlier board, after the end, and at the opponent's pieces one can only look.
    const seen = this.past || this.over || this.#isTheirs(selected);
    if (seen && !options.squares.has(square)) {
      this.choose(this.pieces.has(square) && square !== selected ? square : null);
      return;
    }
    const chosen = options.squares.get(square)?.[0];
    if (!selected && chosen) return this.perform(chosen);
    if (selected === square) {
      this.selected = null;
      return;
    }
    if (selected) {
      const meant = meanings(this.chosen, square);
      const other = options.by.has(square);
      if (meant.length === 1 && !this.isOwn(square)) return this.perform(meant[0]!);
      if (meant.length) {
        this.asking = { square, actions: meant };
        return;
      }
      if (!other && !this.isOwn(square)) {
        void this.#explain(selected, square);
        return;
      }
    }
    this.choose(this.pieces.has(square) ? square : null);
  }

  /** Whether a piece is chosen that cannot act, since it is not its player's turn. */
  #isTheirs(square: string | null): boolean {
    const color = square && this.pieces.get(square)?.color;
    return Boolean(color) && color !== this.toAct;
  }

  /** Take a piece in hand, or none. */
  choose(square: string | null): void {
    this.asking = null;
    this.selected = square;
    if (square) sound("lift");
  }

  /** A piece is being dragged: show where it can go. */
  lift(from: string): void {
    if (!this.mine || this.busy) return;
    this.clear();
    this.selected = from;
  }

  drag(from: string, to: string): void {
    if (!this.mine || this.busy) return;
    this.selected = from;
    this.tap(to);
  }

  /** A piece beside the board was chosen. */
  reserve(letter: string): void {
    if (this.mine && !this.busy)
      this.selected = this.selected === `@${letter}` ? null : `@${letter}`;
  }

  /** Whether a piece of the player to act stands on a square. */
  isOwn(square: string): boolean {
    return this.pieces.get(square)?.color === this.toAct;
  }

  /** Do an action; one that strikes an own piece only if that is `sure`. */
  perform(action: Action, sure = false): void {
    const { now, busy } = this;
    if (!now || busy) return;
    const struck = action.victims.find((square) => this.isOwn(square));
    if (struck !== undefined && !sure) {
      this.asking = { square: tapped(action) ?? struck, actions: [action] };
      return;
    }
    const actions = [...(this.held?.actions ?? []), action];
    // Where it cannot be sent it is not shown either.
    if (live.state === "connected") {
      const board = foresee(now, action, this.#rules().pieces);
      this.#sent = { actions, board, ply: this.#ply };
    }
    void this.#send(actions, settings.confirm, settings.questions);
  }

  /** Send the turn that waits. */
  send(): void {
    if (this.held && !this.busy) void this.#send(this.held.actions);
  }

  /** End the turn, however that is done now. */
  finish(): void {
    const end = this.options.end ?? this.options.pass;
    if (this.busy || !this.mine) return;
    // What is asked about is answered with its button.
    if (this.whole) this.risks.length || this.send();
    else if (end) this.perform(end);
  }

  /** Take the last action back that nobody has seen. */
  unhold(): void {
    if (this.busy) return;
    this.clear();
    this.#held = this.held?.before ?? null;
  }

  /** Say something that is of no use a moment later. */
  mention(text: string): void {
    this.notice = text;
    setTimeout(() => {
      if (this.notice === text) this.notice = null;
    }, MOMENT);
  }

  /** Ask the server for something else than an action. */
  async ask(command: AnyCommand): Promise<void> {
    this.notice = null;
    try {
      await live.request({ type: "do", game: this.#game().game, command });
    } catch (error) {
      this.#tell(error);
    }
  }

  async look(ply: number): Promise<void> {
    const { game, actions } = this.#game();
    if (ply >= actions.length) return this.present();
    const at = Math.max(0, ply);
    this.looking = at;
    try {
      const board = await get<BoardView>(`games/${game}/board?ply=${at}`);
      if (this.looking !== at) return; // somebody leafs faster than boards come
      this.past = { ply: at, board };
      this.clear();
    } catch (error) {
      this.looking = this.past?.ply ?? null;
      this.#tell(error);
    }
  }

  /** Who acts, for those who have both seats. */
  seat(): { seat?: Seat } {
    return this.#game().you.length > 1 && this.toAct ? { seat: this.toAct } : {};
  }

  get #ply(): number {
    return this.#game().board?.ply ?? 0;
  }

  async #send(actions: Action[], hold = false, careful = false): Promise<void> {
    const ply = this.#ply;
    this.clear();
    this.notice = null;
    this.sending = true;
    const texts = actions.map((action) => action.text);
    const turn = { actions: texts, ply, hold, careful, ...this.seat() };
    try {
      const command: AnyCommand = { do: "play_turn", ...turn };
      const answer = await live.request({ type: "do", game: this.#game().game, command });
      // What was played is shown as it was foreseen until the game itself has come that far.
      if (answer.type === "preview") {
        const { board, whole } = answer;
        const risks = answer.risks.filter(({ template }) => template !== OWN_STRUCK);
        // About own pieces it was asked before it was sent.
        if (whole && !hold && !risks.length) return await this.#send(actions);
        this.#held = { actions, board, ply, whole, risks, before: this.held };
        this.#sent = null;
      }
    } catch (error) {
      this.#sent = null;
      this.#tell(error);
    } finally {
      this.sending = false;
    }
  }

  async #explain(origin: string, target: string): Promise<void> {
    const letter = origin.startsWith("@") ? origin.slice(1).toUpperCase() : null;
    const kind = this.#rules().pieces.find((each) => each.letter.toUpperCase() === letter);
    const from = encodeURIComponent(kind?.name ?? origin);
    const query = [`origin=${from}`, `target=${target}`, ...asHeld(this.held?.actions)].join("&");
    sound("refused");
    try {
      const [reason] = await get<Reason[]>(`games/${this.#game().game}/why?${query}`);
      if (reason) this.refused = { square: target, ...reason };
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.notice = error.message;
    sound("refused");
  }
}

/** What threatens now, as a risk tells that it would then; as the server's `dangers.then`. */
const then = ({ template, data }: SentenceDocument): Told => ({
  template: `risk_${template.replace("_in_danger", "")}`,
  data,
});
const idOf = ({ template, data }: Told): string =>
  [template, ...Object.entries(data).flat().sort()].join();

/** Where the acting piece would end if a square were tapped, where that is another square. */
export function landingsOf(actions: Action[], square: string | null): string[] {
  return actions
    .filter((action) => square !== null && tapped(action) === square && action.target !== square)
    .flatMap((action) => (action.target && action.target !== action.origin ? [action.target] : []));
}
