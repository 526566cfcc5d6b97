// One game as this client knows it: made from a snapshot, carried on by updates.
import type {
  Agreement,
  AnyEvent,
  BoardView,
  Clocks,
  Message,
  Presence,
  Remark,
  Room,
  Seat,
  SetupDocument,
  Standing,
  TurnDocument,
} from "../lib/types";
import { other } from "../lib/types";

export interface GameState {
  game: string;
  number: number;
  you: Seat[];
  agreement: Agreement;
  standing: Standing;
  board: BoardView | null;
  setups: Partial<Record<Seat, SetupDocument>>;
  turns: TurnDocument[];
  actions: string[];
  tags: Record<string, string>;
  invitation: string | null;
  byInvitation: boolean;
  presence: Presence | null;
  remarks: Remark[];
  room: Room;
  /** The clocks, and when this browser heard of them. */
  clocks: Clocks;
  heardAt: number;
  /** What a player did not want that the other had asked for. */
  answer: Answer | null;
}

export interface Answer {
  what: "draw" | "take_back" | "seat";
  by: Seat;
}

/** The state after a message; null if something was missed and all must be asked for anew. */
export function apply(state: GameState | null, message: Message, now: number): GameState | null {
  switch (message.type) {
    case "snapshot": {
      const { view } = message;
      return {
        game: message.game,
        number: message.number,
        you: message.you,
        agreement: message.agreement,
        standing: message.standing,
        board: view.screen_lifted ? (view as unknown as BoardView) : null,
        setups: view.setups,
        turns: view.turns ?? [],
        actions: (view.turns ?? []).flatMap((turn) => turn.actions),
        tags: message.tags,
        invitation: message.invitation,
        byInvitation: message.by_invitation,
        presence: state?.presence ?? null,
        remarks: state?.remarks ?? [],
        room: state?.room ?? "spectators",
        clocks: message.standing.clocks,
        heardAt: now,
        answer: null,
      };
    }
    case "update": {
      if (!state) return null;
      if (message.number <= state.number) return state;
      const logged = message.events.filter((each) => each.number > state.number);
      if (logged[0]?.number !== state.number + 1) return null;
      let { turns, actions } = state;
      let open = state.board?.in_turn ?? false;
      for (const { event } of logged) {
        if (event.kind === "played" && event.action && event.seat) {
          actions = [...actions, event.action];
          turns = withAction(turns, event.seat, event.action, open);
          open = true;
        } else if (event.kind === "tookback" && event.ply !== undefined) {
          actions = actions.slice(0, event.ply);
          turns = cut(turns, event.ply);
          open = false;
        }
      }
      return {
        ...state,
        number: message.number,
        you: message.you ?? state.you,
        standing: message.standing,
        board: message.board ?? state.board,
        setups: message.setups ?? state.setups,
        turns,
        actions,
        clocks: message.standing.clocks,
        heardAt: now,
        answer: logged.reduce(
          (was, { event }) => answerAfter(was, event, state.standing),
          state.answer,
        ),
        invitation: message.standing.white && message.standing.black ? null : state.invitation,
      };
    }
    case "current":
      return state && { ...state, clocks: message.clocks, heardAt: now };
    case "presence":
      return state && { ...state, presence: message };
    case "chat": {
      if (!state) return null;
      const last = state.remarks.at(-1)?.number ?? 0;
      const same = state.room === message.room;
      const fresh = message.remarks.filter((remark) => !same || remark.number > last);
      return { ...state, room: message.room, remarks: [...(same ? state.remarks : []), ...fresh] };
    }
    default:
      return state;
  }
}

/** Who plays on has said no too.  It is said until the game goes on, or the next question. */
function answerAfter(was: Answer | null, event: AnyEvent, before: Standing): Answer | null {
  if (!("seat" in event) || !event.seat) return was;
  const { kind, seat } = event;
  const asked = (by: Seat | null): boolean => by === other(seat);
  if (kind === "declined") return { what: "draw", by: seat };
  if (kind === "seatdeclined") return { what: "seat", by: other(seat) };
  if (kind === "refused") return { what: "take_back", by: seat };
  if (kind !== "played") return null;
  if (asked(before.offered)) return { what: "draw", by: seat };
  if (asked(before.asked)) return { what: "take_back", by: seat };
  return null;
}

function withAction(
  turns: TurnDocument[],
  color: Seat,
  action: string,
  open: boolean,
): TurnDocument[] {
  const last = turns.at(-1);
  if (open && last?.color === color) {
    return [...turns.slice(0, -1), { color, actions: [...last.actions, action] }];
  }
  return [...turns, { color, actions: [action] }];
}

function cut(turns: TurnDocument[], ply: number): TurnDocument[] {
  const left: TurnDocument[] = [];
  let played = 0;
  for (const turn of turns) {
    const actions = turn.actions.slice(0, Math.max(0, ply - played));
    played += turn.actions.length;
    if (actions.length) left.push({ color: turn.color, actions });
  }
  return left;
}

/** Milliseconds that a player has left now. */
export function timeLeft(state: GameState, seat: Seat, now: number): number | null {
  const left = state.clocks[seat];
  if (left === null) return null;
  return state.clocks.running === seat ? Math.max(0, left - (now - state.heardAt)) : left;
}
