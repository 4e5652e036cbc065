// The numbers on the cards while the keyboard is in use, by card.

let keys = $state.raw<Readonly<Record<string, string>>>({});
let isUsed = $state(false);

export const hints = {
  of: (card: string): string | undefined => keys[card],
  show(cards: readonly string[]): void {
    keys = Object.fromEntries(cards.slice(0, 10).map((card, i) => [card, `${(i + 1) % 10}`]));
  },
  hide(): void {
    keys = {};
  },
};

/** Whether cards are placed by keyboard: from the first key that did something to the next touch or click. */
export const keyboard = {
  get isUsed(): boolean {
    return isUsed;
  },
  use(): void {
    isUsed = true;
  },
  leave(): void {
    isUsed = false;
  },
};
