// The table's own sounds, made in the browser: a few notes each, always the same. A browser lets a page be heard only
// after a gesture, so nothing is made before one; what happened until then is not heard later.

import type { TableEvent } from './soundEvents';
import { prefs } from '../../../shared/prefs.svelte';

/** A note: when it begins and how long it fades (s), its pitch (Hz), how loud, and its colour. */
type Note = readonly [at: number, lasts: number, pitch: number, loud: number, colour: OscillatorType];

const NOTES: Readonly<Record<TableEvent, readonly Note[]>> = {
  deal: [
    [0, 0.07, 392, 0.1, 'triangle'],
    [0.07, 0.07, 440, 0.1, 'triangle'],
    [0.14, 0.09, 494, 0.1, 'triangle'],
  ],
  turn: [
    [0, 0.35, 659, 0.16, 'sine'],
    [0.13, 0.5, 988, 0.14, 'sine'],
  ],
  time: [
    [0, 0.12, 880, 0.16, 'triangle'],
    [0.22, 0.12, 880, 0.16, 'triangle'],
    [0.44, 0.16, 880, 0.16, 'triangle'],
  ],
  foul: [
    [0, 0.3, 208, 0.2, 'triangle'],
    [0.2, 0.5, 156, 0.2, 'triangle'],
  ],
  fantasyland: [
    [0, 0.5, 523, 0.13, 'sine'],
    [0.11, 0.5, 659, 0.13, 'sine'],
    [0.22, 0.5, 784, 0.13, 'sine'],
    [0.33, 1.1, 1047, 0.15, 'sine'],
  ],
};
const GAP = 0.12;
const ATTACK = 0.012;

let context: AudioContext | null = null;
/** When the last sound is over, by the context's clock: what comes at once is heard one after the other. */
let until = 0;

function wake(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
}

/** Listen for the first gesture; the answer stops that. */
export function unlockAudio(): () => void {
  const stop = new AbortController();
  for (const gesture of ['pointerdown', 'keydown'] as const) {
    window.addEventListener(gesture, wake, { capture: true, passive: true, signal: stop.signal });
  }
  return () => stop.abort();
}

/** Let a moment be heard, unless sounds are off or no gesture has been made yet. */
export function sound(moment: TableEvent): void {
  if (!prefs.sound || context?.state !== 'running') return;
  const begin = Math.max(context.currentTime, until);
  for (const note of NOTES[moment]) until = Math.max(until, strike(context, begin, note));
  until += GAP;
  performance.mark(`sound.${moment}`);
}

/** One note; answers when it has faded. */
function strike(audio: AudioContext, begin: number, [at, lasts, pitch, loud, colour]: Note): number {
  const start = begin + at;
  const end = start + lasts;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = colour;
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + ATTACK);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(end);
  return end;
}
