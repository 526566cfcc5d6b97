// Sounds of stone, wood and felt, made here: noise and a little pitch, short and dry.
import { type Action, isShot } from "./actions";
import { settings } from "./settings.svelte";

export type Sound =
  | "lift"
  | "place"
  | "capture"
  | "shot"
  | "ruin"
  | "turn"
  | "refused"
  | "win"
  | "loss"
  | "draw"
  | "tick";

let audio: AudioContext | null = null;

function context(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === "undefined") return null;
  // Browsers let a page sound only after somebody has touched it, and complain when it tries.
  if (navigator.userActivation?.hasBeenActive === false) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  return audio.state === "running" ? audio : null;
}

/** A knock: filtered noise that dies away, on a pitch. */
function knock(at: AudioContext, when: number, pitch: number, length: number, loud: number): void {
  const size = Math.ceil(at.sampleRate * length);
  const buffer = at.createBuffer(1, size, at.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 3;
  const noise = at.createBufferSource();
  noise.buffer = buffer;
  const filter = at.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  const gain = at.createGain();
  gain.gain.value = loud * settings.volume;
  noise.connect(filter).connect(gain).connect(at.destination);
  noise.start(when);
}

/** A soft drop: a tone that falls and rises a little. */
function drop(at: AudioContext, when: number): void {
  const tone = at.createOscillator();
  tone.frequency.setValueAtTime(700, when);
  tone.frequency.exponentialRampToValueAtTime(380, when + 0.05);
  tone.frequency.exponentialRampToValueAtTime(760, when + 0.12);
  const gain = at.createGain();
  gain.gain.setValueAtTime(0.12 * settings.volume, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + 0.14);
  tone.connect(gain).connect(at.destination);
  tone.start(when);
  tone.stop(when + 0.15);
}

/** A plucked string. */
function pluck(at: AudioContext, when: number, pitch: number): void {
  const tone = at.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  const gain = at.createGain();
  gain.gain.setValueAtTime(0.25 * settings.volume, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + 0.5);
  tone.connect(gain).connect(at.destination);
  tone.start(when);
  tone.stop(when + 0.5);
}

/** Heavy pieces stand lower. */
const DEPTH: Record<string, number> = {
  R: 1.2,
  X: 1.1,
  L: 1.05,
  H: 0.85,
  C: 0.75,
  T: 0.7,
  E: 0.65,
  D: 0.7,
  W: 0.6,
  K: 0.8,
};

export function soundOf(action: Action): Sound {
  if (isShot(action)) return "shot";
  return action.victims.length ? "capture" : "place";
}

/** Let something be heard; `letter` is the piece that makes it, `water` where it lands. */
export function play(sound: Sound, letter = "", water = false): void {
  const at = context();
  if (!at) return;
  const now = at.currentTime;
  const depth = DEPTH[letter.toUpperCase()] ?? 1;
  switch (sound) {
    case "lift":
      return knock(at, now, 2600 * depth, 0.04, 0.5);
    case "place":
      knock(at, now, 1300 * depth, 0.09, 1.6);
      if (water) drop(at, now + 0.05);
      return;
    case "capture":
      knock(at, now, 1500 * depth, 0.07, 1.5);
      knock(at, now + 0.06, 900 * depth, 0.09, 1.5);
      return knock(at, now + 0.14, 300, 0.12, 1.2);
    case "shot":
      knock(at, now, 500, 0.12, 0.8);
      return knock(at, now + 0.16, 220, 0.18, 2);
    case "ruin":
      for (let i = 0; i < 7; i++) {
        knock(at, now + i * 0.035, 500 + 900 * Math.random(), 0.05, 0.9 - i * 0.1);
      }
      return;
    case "turn":
      return knock(at, now + 0.05, 420, 0.16, 2.2);
    case "refused":
      return knock(at, now, 240, 0.08, 1);
    case "tick":
      return knock(at, now, 3200, 0.03, 0.4);
    case "win":
      for (const [i, pitch] of [392, 494, 587].entries()) pluck(at, now + i * 0.16, pitch);
      return;
    case "loss":
      for (const [i, pitch] of [330, 262].entries()) pluck(at, now + i * 0.2, pitch);
      return;
    case "draw":
      return pluck(at, now, 392);
  }
}
