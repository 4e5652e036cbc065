// A session's ledger where no server keeps it: points, money to the last part of the unit, the fewest payments. Pure, and
// as src/triptych/scoring/session.py counts it.

import type { MoneyPayment, Ledger, PairPoints } from '../../../api/generated/types';

type Moved = Pick<PairPoints, 'a' | 'b' | 'points' | 'moved'>;

/** A scored deal: the points of each player, what pairs move, and what a point costs in which unit. */
export interface RecordedDeal {
  readonly points: ReadonlyMap<string, number>;
  /** Empty where the points belong to no pair. */
  readonly pairs: readonly Moved[];
  readonly point: number;
  readonly unit: string;
}

/** A tally for each unit that stakes are counted in. */
export function tallies(deals: readonly RecordedDeal[]): Ledger[] {
  const units = [...new Set(deals.map(({ unit }) => unit))];
  return units.map((unit) =>
    tally(
      unit,
      deals.filter((deal) => deal.unit === unit),
    ),
  );
}

interface Between {
  readonly a: string;
  readonly b: string;
  points: number;
  money: bigint;
}

function tally(unit: string, deals: readonly RecordedDeal[]): Ledger {
  const places = Math.max(
    0,
    ...deals.flatMap(({ points, pairs, point }) =>
      [...points.values(), ...pairs.map(({ moved }) => moved)].map(
        (amount) => decimal(amount).places + decimal(point).places,
      ),
    ),
  );
  const toNumber = (money: bigint): number => Number(`${money}e-${places}`);
  const [played, points, money] = [new Map<string, number>(), new Map<string, number>(), new Map<string, bigint>()];
  const pairs: Between[] = [];
  for (const deal of deals) {
    const price = decimal(deal.point);
    const worth = (amount: number): bigint => {
      const { digits, places: own } = decimal(amount);
      return digits * price.digits * 10n ** BigInt(places - own - price.places);
    };
    for (const [player, won] of deal.points) {
      played.set(player, (played.get(player) ?? 0) + 1);
      points.set(player, Number(((points.get(player) ?? 0) + won).toFixed(9)));
      if (deal.pairs.length === 0) money.set(player, (money.get(player) ?? 0n) + worth(won));
    }
    for (const { a, b, points: won, moved } of deal.pairs) {
      const before = pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
      const between = before ?? { a, b, points: 0, money: 0n };
      if (before === undefined) pairs.push(between);
      const sign = between.a === a ? 1 : -1;
      between.points += sign * won;
      between.money += worth(sign * moved);
    }
  }
  for (const { a, b, money: won } of pairs) {
    money.set(a, (money.get(a) ?? 0n) + won);
    money.set(b, (money.get(b) ?? 0n) - won);
  }
  return {
    unit,
    players: [...played].map(([player, count]) => ({
      player,
      deals: count,
      points: points.get(player) ?? 0,
      money: toNumber(money.get(player) ?? 0n),
    })),
    pairs: pairs.map((pair) => ({ ...pair, money: toNumber(pair.money) })),
    payments: fewestPayments([...played.keys()].map((player) => [player, money.get(player) ?? 0n])).map(
      (payment) => ({
        ...payment,
        money: toNumber(payment.money),
      }),
    ),
  };
}

/** An amount as it is written: 0.5 is five tenths. */
function decimal(amount: number): { readonly digits: bigint; readonly places: number } {
  const [written = '0', power = '0'] = String(amount).split('e');
  const [whole = '0', part = ''] = written.split('.');
  const places = part.length - Number(power);
  return places < 0
    ? { digits: BigInt(whole + part) * 10n ** BigInt(-places), places: 0 }
    : { digits: BigInt(whole + part), places };
}

type Balance = readonly [player: string, amount: bigint];
type Paid = Omit<MoneyPayment, 'money'> & { readonly money: bigint };

const MAX_EXACT = 12; // players: beyond it few payments, not the fewest

/** A group whose balances sum to zero settles with one payment less than it has players; so the most groups are sought. */
function fewestPayments(balances: readonly Balance[]): Paid[] {
  const open = balances.filter(([, amount]) => amount !== 0n);
  if (open.length > MAX_EXACT) return settled(open);
  return mostGroups(open.map(([, amount]) => amount)).flatMap((group) =>
    settled(group.map((at) => open[at] as Balance)),
  );
}

/** `most[s]`: into how many groups that sum to zero a set of balances (as bits) can be cut, laid down one by one. */
function mostGroups(amounts: readonly bigint[]): number[][] {
  const size = 1 << amounts.length;
  const total = Array.from({ length: size }, () => 0n);
  const [most, last] = [new Int32Array(size), new Int32Array(size)];
  for (let members = 1; members < size; ++members) {
    total[members] =
      (total[members & (members - 1)] as bigint) + (amounts[31 - Math.clz32(members & -members)] as bigint);
    let best = -1;
    for (const [at] of amounts.entries()) {
      const without = most[members ^ (1 << at)] as number;
      if ((members >> at) % 2 === 0 || without <= best) continue;
      [best, last[members]] = [without, at];
    }
    most[members] = best + Number(total[members] === 0n);
  }
  const groups: number[][] = [];
  for (let members = size - 1; members !== 0; members ^= 1 << (last[members] as number)) {
    if (total[members] === 0n) groups.push([]);
    groups.at(-1)?.push(last[members] as number);
  }
  return groups;
}

/** The largest debts meet the largest claims; each payment closes at least one of the two. */
function settled(balances: readonly Balance[]): Paid[] {
  const larger = (a: { money: bigint }, b: { money: bigint }): number =>
    a.money < b.money ? 1 : a.money > b.money ? -1 : 0;
  const side = (sign: bigint): { player: string; money: bigint }[] =>
    balances
      .flatMap(([player, amount]) => (sign * amount > 0n ? [{ player, money: sign * amount }] : []))
      .toSorted(larger);
  const [claims, debts] = [side(1n), side(-1n)];
  const payments: Paid[] = [];
  for (
    let [claim, debt] = [claims[0], debts[0]];
    claim !== undefined && debt !== undefined;
    [claim, debt] = [claims[0], debts[0]]
  ) {
    const money = claim.money < debt.money ? claim.money : debt.money;
    payments.push({ payer: debt.player, payee: claim.player, money });
    for (const [balance, all] of [
      [claim, claims],
      [debt, debts],
    ] as const) {
      balance.money -= money;
      if (balance.money === 0n) all.shift();
    }
  }
  return payments;
}
