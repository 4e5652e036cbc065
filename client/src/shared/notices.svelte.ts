// Short words that come and go at the foot of the page. While a dialog lies open, the page behind it is out of reach: what
// is refused then is shown inside the dialog.

import type { WireError } from '../api/generated/types';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

/** A dialog that shows what is refused while it lies open. */
export interface Dialogue {
  refused(error: WireError): void;
  said(text: string): void;
}

const LASTS = 5_000;
let next = 1;
const open: Dialogue[] = [];
const list = $state<Notice[]>([]);

export const notices = {
  get all(): readonly Notice[] {
    return list;
  },
  /** A refusal, in the open dialog beside the field that its path names. */
  refuse(error: WireError): void {
    const top = open.at(-1);
    if (top !== undefined) top.refused(error);
    else add(error.message, 'bad');
  },
  say(text: string, tone: Notice['tone'] = 'plain'): void {
    if (tone === 'bad') return notices.refuse({ code: '', message: text, path: '$' });
    open.at(-1)?.said(text);
    add(text, tone);
  },
  /** Show refusals here until the returned function is called. */
  within(dialog: Dialogue): () => void {
    open.push(dialog);
    return () => void open.splice(open.indexOf(dialog), 1);
  },
  dismiss(id: number): void {
    const at = list.findIndex((notice) => notice.id === id);
    if (at >= 0) list.splice(at, 1);
  },
};

function add(text: string, tone: Notice['tone']): void {
  const id = next++;
  list.push({ id, text, tone });
  if (list.length > 3) list.shift();
  setTimeout(() => notices.dismiss(id), LASTS);
}
