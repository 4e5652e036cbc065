// What lies over a page (a drawer, a question) is closed by the browser's Back, as people on a phone expect; the page stays.

const open: (() => void)[] = [];
/** Steps back of our own that are still on their way. */
let ours = 0;
const OVER = { over: true };

window.addEventListener('popstate', () => {
  if (ours > 0) ours -= 1;
  else open.pop()?.();
});

/** Let Back call `close`; the answer takes that back when it was closed in another way. */
export function closeOnBack(close: () => void): () => void {
  open.push(close);
  history.pushState(OVER, '');
  return () => {
    const at = open.lastIndexOf(close);
    if (at < 0) return;
    open.splice(at, 1);
    // Not when closing led to another page: that stays.
    if ((history.state as typeof OVER | null)?.over !== true) return;
    ours += 1;
    history.back();
  };
}
