// The numbers on the cards while a key is held, by card.

let keys = $state.raw<Readonly<Record<string, string>>>({});

export const hints = {
  of: (card: string): string | undefined => keys[card],
  show(cards: readonly string[]): void {
    keys = Object.fromEntries(cards.slice(0, 10).map((card, i) => [card, `${(i + 1) % 10}`]));
  },
  hide(): void {
    keys = {};
  },
};
