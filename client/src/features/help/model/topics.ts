// The help pages. Their texts are written from the documentation by scripts/help_pages.py, in English only.

import { m } from '../../../shared/i18n.svelte';

export interface BoardPicture {
  /** Cards of the front, the middle and the back, as `QhQd7c`; rows may be missing at the end. */
  readonly rows: readonly string[];
  readonly says: string;
}

export type Block = { readonly html: string } | { readonly boards: readonly BoardPicture[] };

export interface Topic {
  readonly id: string;
  readonly title: () => string;
  /** Its text; hand rankings are drawn instead. */
  readonly load: (() => Promise<{ readonly default: unknown }>) | null;
}

export const TOPICS: readonly Topic[] = [
  { id: 'game', title: m.help_game, load: () => import('../pages/game.json') },
  { id: 'rankings', title: m.lessons_rankings, load: null },
  { id: 'tables', title: m.help_tables, load: () => import('../pages/tables.json') },
  { id: 'strategy', title: m.help_strategy, load: () => import('../pages/strategy.json') },
  { id: 'rules', title: m.help_rules, load: () => import('../pages/rules.json') },
  { id: 'glossary', title: m.help_glossary, load: () => import('../pages/glossary.json') },
  { id: 'faq', title: m.help_faq, load: () => import('../pages/faq.json') },
];
