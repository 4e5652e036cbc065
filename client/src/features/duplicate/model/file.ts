// A comparison as a file.

import { abovePar, meanWithInterval, comparePlayers } from './compare';
import type { Duplicate } from './duplicate.svelte';

export function toJson({ match, results, par, path }: Duplicate): string {
  const whole = match !== null && par.length === match.deals;
  const players = results.map((result) => ({
    ...result,
    ...(whole ? { above_par: abovePar(result, par), above_par_a_deal: meanWithInterval(abovePar(result, par)) } : {}),
  }));
  const pairs = comparePlayers(results, par).map(({ first, second, ahead, sum }) => ({
    first: results[first]?.name,
    second: results[second]?.name,
    ahead,
    ahead_a_deal: sum,
  }));
  return `${JSON.stringify({ ...match, link: location.origin + path, ...(whole ? { par } : {}), players, pairs }, null, 1)}\n`;
}
