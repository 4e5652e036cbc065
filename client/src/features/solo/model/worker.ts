import type { SoloRequest } from './types';
import { SoloThread } from './thread';

const thread = new SoloThread((said) => postMessage(said));
addEventListener('message', ({ data }: MessageEvent<SoloRequest>) => thread.handle(data));
