// The worker that plays the day's deal again, for me and as the levels; it answers with a `Played` after each.

export const othersWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
