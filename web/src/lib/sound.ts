// Sounds of stone, wood and felt, made here: noise and a little pitch, short and dry.
import { settings } from "./settings.svelte";

export type Sound =
  | "lift"
  | "place"
  | "capture"
  | "shot"
  | "turn"
  | "refused"
  | "end"
  | "tick";

let audio: AudioContext | null = null;

function context(): AudioContext | null {
  if (!settings.sound || typeof AudioContext === "undefined") return null;
  audio ??= new AudioContext();
  // Browsers let a page sound only after somebody has touched it.
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

export function play(sound: Sound): void {
  const at = context();
  if (!at) return;
  const now = at.currentTime;
  switch (sound) {
    case "lift":
      return knock(at, now, 2600, 0.04, 0.5);
    case "place":
      return knock(at, now, 1300, 0.09, 1.6);
    case "capture":
      knock(at, now, 1500, 0.07, 1.5);
      knock(at, now + 0.06, 900, 0.09, 1.5);
      return knock(at, now + 0.14, 300, 0.12, 1.2);
    case "shot":
      knock(at, now, 500, 0.12, 0.8);
      return knock(at, now + 0.16, 220, 0.18, 2);
    case "turn":
      return knock(at, now + 0.05, 420, 0.16, 2.2);
    case "refused":
      return knock(at, now, 240, 0.08, 1);
    case "tick":
      return knock(at, now, 3200, 0.03, 0.4);
    case "end":
      pluck(at, now, 392);
      pluck(at, now + 0.16, 494);
      return pluck(at, now + 0.32, 587);
  }
}
