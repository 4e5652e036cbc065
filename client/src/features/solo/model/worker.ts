import type { Told } from './types';
import { SoloThread } from './thread';

const thread = new SoloThread((said) => postMessage(said));
addEventListener('message', ({ data }: MessageEvent<Told>) => thread.hear(data));
