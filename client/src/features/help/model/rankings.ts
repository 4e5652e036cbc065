// Hands of five cards, the strongest first, each with an example.

import { m } from '../../../shared/i18n.svelte';

export const HANDS: readonly { name: () => string; cards: string }[] = [
  { name: m.cards_hand_kind_royal_flush, cards: 'AsKsQsJsTs' },
  { name: m.cards_hand_kind_straight_flush, cards: '9h8h7h6h5h' },
  { name: m.cards_hand_kind_quads, cards: 'QsQhQdQc4s' },
  { name: m.cards_hand_kind_full_house, cards: 'TsThTd6c6d' },
  { name: m.cards_hand_kind_flush, cards: 'AdJd8d6d2d' },
  { name: m.cards_hand_kind_straight, cards: '8s7h6d5c4h' },
  { name: m.cards_hand_kind_trips, cards: '7s7h7dKc2s' },
  { name: m.cards_hand_kind_two_pair, cards: 'JsJh4d4c9s' },
  { name: m.cards_hand_kind_pair, cards: 'AhAc9d6s3c' },
  { name: m.cards_hand_kind_high_card, cards: 'KsJd8h5c3h' },
];
