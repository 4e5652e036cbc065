// A thread of its own for rollouts.

import type { WorkerRequest } from './protocol';
import { createHandler } from './protocol';

const serve = createHandler((response) => {
  postMessage(response);
});
addEventListener('message', (event: MessageEvent<WorkerRequest>) => {
  serve(event.data);
});
