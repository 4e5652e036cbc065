// A thread of its own for rollouts.

import type { Told } from './work';
import { served } from './work';

const serve = served((said) => {
  postMessage(said);
});
addEventListener('message', (event: MessageEvent<Told>) => {
  serve(event.data);
});
