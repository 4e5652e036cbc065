// A history's text on its way from the replay page to its review: a file is read once and not chosen again.

let text: string | null = null;

export const handed = {
  give(history: string): void {
    text = history;
  },
  take(): string | null {
    const found = text;
    text = null;
    return found;
  },
};
