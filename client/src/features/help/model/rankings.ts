// Hands of five cards, the strongest first, each with an example.

import { m } from '../../../shared/i18n.svelte';

export const HANDS: readonly { name: () => string; cards: string }[] = [
  { name: m.hand_royal, cards: 'AsKsQsJsTs' },
  { name: m.hand_straight_flush, cards: '9h8h7h6h5h' },
  { name: m.hand_quads, cards: 'QsQhQdQc4s' },
  { name: m.hand_full_house, cards: 'TsThTd6c6d' },
  { name: m.hand_flush, cards: 'AdJd8d6d2d' },
  { name: m.hand_straight, cards: '8s7h6d5c4h' },
  { name: m.hand_trips, cards: '7s7h7dKc2s' },
  { name: m.hand_two_pair, cards: 'JsJh4d4c9s' },
  { name: m.hand_pair, cards: 'AhAc9d6s3c' },
  { name: m.hand_high, cards: 'KsJd8h5c3h' },
];
