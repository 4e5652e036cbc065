// The worker that plays the day's deal as the levels; it answers with an `Other` after each.

export const othersWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
