// Short words that come and go at the foot of the page.

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

const LASTS = 5_000;
let next = 1;
const list = $state<Notice[]>([]);

export const notices = {
  get all(): readonly Notice[] {
    return list;
  },
  say(text: string, tone: Notice['tone'] = 'plain'): void {
    const id = next++;
    list.push({ id, text, tone });
    if (list.length > 3) list.shift();
    setTimeout(() => notices.dismiss(id), LASTS);
  },
  dismiss(id: number): void {
    const at = list.findIndex((notice) => notice.id === id);
    if (at >= 0) list.splice(at, 1);
  },
};
