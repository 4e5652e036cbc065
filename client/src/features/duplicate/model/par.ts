// The worker that plays a match's decks with the bot in both seats; it answers with the points of seat 0 after each deal.

import type { AnalysisSetup } from '../../../api/generated/types';
import type { Match } from './link';

export interface Par {
  readonly form: AnalysisSetup;
  readonly match: Match;
}

export function parWorker(par: Par, onPar: (points: number) => void, failed: (why: string) => void): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<number>) => onPar(data);
  worker.onerror = ({ message }) => failed(message);
  worker.postMessage(par);
  return worker;
}
