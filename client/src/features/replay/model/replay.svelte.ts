// The state of the replay page: which moment is shown, and whether the deal plays on by itself.

import type { Replay, ReplayFrame } from '../../../api/generated/types';
import { locatedMessage } from '../../rules/model/format';
import { LatestRequest } from '../../../shared/latestRequest';

const STEP = 1_400;

export class ReplayState {
  replay = $state.raw<Replay | null>(null);
  at = $state(0);
  playing = $state(false);
  problem = $state<string | null>(null);

  private timer = 0;
  private readonly latest = new LatestRequest();

  constructor(step = 0) {
    this.at = step;
  }

  async load(request: () => Promise<Replay>, inText = false): Promise<void> {
    this.problem = null;
    const answer = await this.latest.ask(request);
    if (answer === null) return;
    if (answer.ok) {
      this.replay = answer.value;
      this.go(this.at);
    } else {
      const { path, message } = answer.error;
      // Where it is in a text helps; of an address the message says enough.
      this.problem = inText ? locatedMessage(path, message) : message;
    }
  }

  close(): void {
    this.latest.forget();
    this.pause();
  }

  get last(): number {
    return (this.replay?.frames.length ?? 1) - 1;
  }

  get frame(): ReplayFrame | null {
    return this.replay?.frames[this.at] ?? null;
  }

  get ended(): boolean {
    return this.at === this.last;
  }

  go(step: number): void {
    this.at = Math.max(0, Math.min(step, this.last));
    if (this.ended) this.pause();
  }

  /** Step by hand: the deal no longer plays on by itself. */
  step(by: number): void {
    this.pause();
    this.go(this.at + by);
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.ended) this.at = 0;
    this.playing = true;
    this.timer = window.setInterval(() => this.go(this.at + 1), STEP);
  }

  pause(): void {
    clearInterval(this.timer);
    this.playing = false;
  }

  /** The keys of every player: arrows step, Home and End jump, the space bar plays. */
  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.replay === null) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('input, textarea, select, [popover]')) return;
    if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === 'Home') this.step(-this.at);
    else if (event.key === 'End') this.step(this.last);
    else if (event.key === ' ' && !target?.closest('button, a, summary')) this.toggle();
    else return;
    event.preventDefault();
  }
}
