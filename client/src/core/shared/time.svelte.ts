// The server's time, as well as this machine knows it; ticks only while someone looks at a clock.

const EVERY = 500;

// By the page's own steady time: a wall clock that is set changes nothing at a table.
let offset = performance.timeOrigin;
let watchers = 0;
let timer = 0;
const clock = $state({ now: Date.now() });

const serverNow = (): number => performance.now() + offset;

export function heardServerTime(now: number): void {
  offset = now - performance.now();
  clock.now = serverNow();
}

/** Milliseconds since the epoch on the server's clock. */
export const now = (): number => clock.now;

/** Use in an `$effect`: the clock ticks until the returned function is called. */
export function keepTicking(): () => void {
  watchers += 1;
  if (watchers === 1) timer = window.setInterval(() => (clock.now = serverNow()), EVERY);
  return () => {
    watchers -= 1;
    if (watchers === 0) clearInterval(timer);
  };
}
