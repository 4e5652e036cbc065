// The games that are placed street by street, on open boards.

const OPEN = ['classic', 'turbo', 'pineapple'];

export const isOpen = (game: string): boolean => OPEN.includes(game);
