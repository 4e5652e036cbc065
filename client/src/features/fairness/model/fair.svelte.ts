// What this browser adds to the decks of a table, and whether the cards that it was shown were fixed before the deal.

import type { BoardView, PlayerRequest, Proofs, TableView } from '../../../api/generated/types';
import { save, load } from '../../../shared/storage';
import type { Bytes } from './verify';
import { buildChain, commitment, isFixedInAdvance, fromHex, toHex, verify } from './verify';

const LENGTH = 500;
const TABLES = 8;
const KEY = 'triptych.chains';

/** A chain's secret, the next link to give, and the last link that was given: for which commitment. */
interface Mine {
  readonly secret: string;
  readonly next: number;
  readonly given?: { readonly number: number; readonly commitment: string; readonly index: number };
}

/** What was found of a deal: how many of the cards shown are proved; who added to its deck. */
export interface Found {
  readonly deal: number;
  readonly shown: number;
  readonly proved: number;
  readonly seats: readonly number[];
  /** The viewer's own link was given for this deal and does not count. */
  readonly leftOut: boolean;
  readonly holds: boolean;
}

type Ask = (action: PlayerRequest) => Promise<unknown>;

export class Fair {
  found = $state.raw<Found | null>(null);
  private mine: Mine | null;
  private links: readonly string[] = [];
  private fixing = false;
  /** The commitments that this page has seen, and the links that it gave for them. */
  private readonly seen: Record<number, string> = {};
  private readonly gave: Record<number, string> = {};
  /** The chains' heads by seat, as they were when a commitment came; only of those that came while this page watched. */
  private readonly heads: Record<number, Record<number, string>> = {};

  constructor(
    private readonly table: string,
    private readonly ask: Ask,
  ) {
    this.mine = stored()[table] ?? null;
    if (this.mine !== null) this.links = buildChain(fromHex(this.mine.secret), LENGTH);
  }

  /** The head of a new chain. */
  newHead(): string {
    const secret: Bytes = crypto.getRandomValues(new Uint8Array(32));
    this.links = buildChain(secret, LENGTH);
    this.store({ secret: toHex(secret), next: 1 });
    this.fixing = true;
    return this.links[0] as string;
  }

  /** Add to the deck that is to come, once for each commitment. `live`: the page has watched since the view before. */
  follow(view: TableView, live: boolean): void {
    const { fair } = view;
    if (fair.number === 0) return;
    if (live && !(fair.number in this.seen))
      this.heads[fair.number] = Object.fromEntries(fair.chains.map((chain) => [chain.seat, chain.head]));
    this.seen[fair.number] ??= fair.commitment;
    if (view.you === null) return;
    const chain = fair.chains.find((chain) => chain.seat === view.you);
    const at = chain === undefined ? -1 : this.links.indexOf(chain.head);
    if (chain === undefined || at < 0) {
      // Once a page: two devices of one player would take it from each other for ever.
      if (!this.fixing) void this.ask({ do: 'fix_chain', head: this.newHead() });
      return;
    }
    if (chain.given || chain.since > fair.number || fair.number in this.gave || this.mine === null) return;
    const previous = this.mine.given;
    const again = previous?.number === fair.number && previous.commitment === fair.commitment;
    // A link that was revealed is never given for another deck: the server knows it.
    const index = again ? previous.index : Math.max(at + 1, this.mine.next);
    const link = this.links[index];
    if (link === undefined) {
      this.links = [];
      this.fixing = false;
      return;
    }
    this.store({ ...this.mine, next: index + 1, given: { number: fair.number, commitment: fair.commitment, index } });
    this.gave[fair.number] = link;
    void this.ask({ do: 'give_link', number: fair.number, link });
  }

  /** Check the proofs of the cards that a view shows. Returns false for those of another deal. */
  check(view: TableView, proofs: Proofs): boolean {
    const { deal } = view;
    if (deal === null || proofs.deal !== deal.number) return false;
    const { record } = proofs;
    const mine = this.gave[record.number];
    const cards = deal.boards.flatMap((board) => shownOf(board).map((card) => ({ card, hand: board.hand })));
    let proved = 0;
    let holds = true;
    try {
      const committed = this.seen[record.number];
      if (record.table !== this.table || (committed !== undefined && committed !== commitment(record)))
        throw new Error('another deck was committed');
      const heads = this.heads[record.number];
      if (heads !== undefined && !isFixedInAdvance(record, heads)) throw new Error('a chain was fixed too late');
      const hands = Object.fromEntries([...verify(record)].map(([at, card]) => [card, proofs.order[at]]));
      for (const { card, hand } of cards) {
        const of = hands[card];
        if (of !== undefined && of !== hand) throw new Error('a card went to another hand');
        if (of === hand) proved += 1;
      }
    } catch {
      holds = false;
    }
    const leftOut = mine !== undefined && !record.links.some((link) => link.link === mine);
    this.found = {
      deal: deal.number,
      shown: cards.length,
      proved,
      seats: record.links.map((link) => link.seat),
      leftOut,
      holds,
    };
    return true;
  }

  private store(mine: Mine): void {
    this.mine = mine;
    const others = Object.entries(stored()).filter(([table]) => table !== this.table);
    save(KEY, Object.fromEntries([...others.slice(1 - TABLES), [this.table, mine]]));
  }
}

const shownOf = (board: BoardView): string[] =>
  [...board.front.cards, ...board.middle.cards, ...board.back.cards, ...board.draws, ...board.discards].filter(
    (card) => card !== '??',
  );

/** The cards of the deal that a view shows: other ones after every step that shows more. */
export const shownCards = (view: TableView): string[] => view.deal?.boards.flatMap(shownOf).sort() ?? [];

function stored(): Record<string, Mine> {
  const value = load(KEY);
  return typeof value === 'object' && value !== null ? (value as Record<string, Mine>) : {};
}
