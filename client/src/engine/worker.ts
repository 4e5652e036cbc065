// A thread of its own for rollouts.

import type { Told } from './protocol';
import { served } from './protocol';

const serve = served((said) => {
  postMessage(said);
});
addEventListener('message', (event: MessageEvent<Told>) => {
  serve(event.data);
});
