import type { SoloRequest } from './types';
import { SoloThread } from './thread';

const thread = new SoloThread((response) => postMessage(response));
addEventListener('message', ({ data }: MessageEvent<SoloRequest>) => thread.handle(data));
