// The server's time, as well as this machine knows it; steps only while someone looks at a clock.

const SECOND = 1000;

// By the page's own steady time: a wall clock that is set changes nothing at a table.
let offset = performance.timeOrigin;
const clock = $state({ now: Date.now() });

const serverNow = (): number => performance.now() + offset;

/** `now` as a table or tournament says it: each has its own time, which does not go back when the server's clock is set right. */
export function syncServerTime(now: number): void {
  offset = now - performance.now();
  clock.now = serverNow();
}

/** Milliseconds since the epoch on the server's clock. */
export const now = (): number => clock.now;

/** Use in an `$effect`: `now` steps whenever a whole number of seconds is left until `end`, until the returned function is called. */
export function startCountdown(end: number): () => void {
  let timer = 0;
  const wait = (): void => {
    const left = end - serverNow();
    timer = window.setTimeout(step, (((left % SECOND) + SECOND) % SECOND) + 1);
  };
  const step = (): void => {
    clock.now = serverNow();
    wait();
  };
  wait();
  return () => clearTimeout(timer);
}
