// When a bot's answer is shown: it thinks faster than one can look, so the own piece comes to rest
// first, and then it is quiet for a moment.

/** How long it is quiet, in milliseconds. */
const QUIET = 600;

type State = "free" | "moving" | "quiet";

/** What a board tells of itself. */
export type Stillness = Pick<Pace<unknown>, "began" | "moved" | "rested">;

/** Keeps messages back, in their order, while an own action is still being looked at. */
export class Pace<Message> {
  #tell: (message: Message) => void;
  #state: State = "free";
  #kept: Message[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (message: Message) => void) {
    this.#tell = tell;
  }

  /** An own action begins to be seen. */
  began(): void {
    clearTimeout(this.#timer);
    this.#state = "moving";
  }

  /** Something moves: what follows from the action, perhaps. */
  moved(): void {
    if (this.#state === "quiet") this.began();
  }

  /** Everything on the board has come to rest. */
  rested(): void {
    if (this.#state !== "moving") return;
    this.#state = "quiet";
    this.#timer = setTimeout(() => this.free(), QUIET);
  }

  /** A message that waits while somebody looks, if it is such a one or others wait before it. */
  pass(message: Message, waits: boolean): void {
    if (this.#state !== "free" && (waits || this.#kept.length)) this.#kept.push(message);
    else this.#tell(message);
  }

  /** Nobody looks any more. */
  free(): void {
    clearTimeout(this.#timer);
    this.#state = "free";
    for (const message of this.#kept.splice(0)) this.#tell(message);
  }

  /** What was kept is of no use any more: everything is told anew. */
  forget(): void {
    this.#kept = [];
    this.free();
  }
}
