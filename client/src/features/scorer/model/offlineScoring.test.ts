import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { room } from '../../../../testing/room';
import { playHere } from '../../../../testing/solo';
import { ApiError, type DealLine, type RulesSpec } from '../../../api/http';
import type { ScoredSession, ScorerSetup, ScoreSheet } from '../../../api/generated/types';
import { withOfflineFallback, type Scoring } from './offlineScoring';

beforeEach(() => playHere());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const offline = (code = 'offline'): ApiError => new ApiError({ code, message: 'the room is silent', path: '$' });

/** A room whose forms were fetched before it fell silent. */
function silent(forms: Readonly<Record<string, ScorerSetup>>, error = offline()): Scoring {
  return withOfflineFallback({
    scoreForm: ({ preset, ...more }: RulesSpec) =>
      forms[preset] === undefined || Object.keys(more).length > 0
        ? Promise.reject(error)
        : Promise.resolve(forms[preset]),
    scoreDeal: () => Promise.reject(error),
    scoreSession: () => Promise.reject(error),
  });
}

const numbers = (sheet: ScoreSheet | null): unknown =>
  sheet && {
    hands: sheet.hands.map(({ hand, seat, player, status, royalties, points, fantasyland }) => ({
      hand,
      seat,
      player,
      status,
      royalties,
      points,
      fantasyland,
    })),
    pairs: sheet.pairs.map(({ a, b, points, stake, moved, ...cells }) => ({
      a,
      b,
      points,
      stake,
      moved: moved.points,
      cells: (['front', 'middle', 'back', 'scoop', 'royalties', 'other'] as const).map((cell) => cells[cell].points),
    })),
  };
const ledger = ({ tallies }: ScoredSession): unknown => tallies;

describe.skipIf(room === null)('this device counts what the room counts', () => {
  const { forms = {}, lines = [], session = { deals: [], tallies: [] } } = room?.session ?? {};

  test('a session of all presets: every pair, total and payment', async () => {
    expect(lines.length).toBeGreaterThan(60);
    const own = await silent(forms).scoreSession(lines);
    expect(own.deals.map(({ error }) => error)).toEqual(lines.map(() => null));
    own.deals.forEach(({ sheet, points = null }, at) => {
      const room = session.deals[at];
      expect([numbers(sheet), points], JSON.stringify(lines[at])).toEqual([
        numbers(room?.sheet ?? null),
        room?.points ?? null,
      ]);
    });
    expect(ledger(own)).toEqual(ledger(session));
  });

  test('one deal as well, with its number', async () => {
    const own = await silent(forms).scoreDeal(lines[0] as DealLine, 7);
    expect(own.deal).toBe(7);
    expect(numbers(own)).toEqual(numbers(session.deals[0]?.sheet ?? null));
  });

  test('what is wrong spoils no other deal, and is told where it stands', async () => {
    const first = lines[0] as DealLine & { players: Record<string, Record<string, string>> };
    const [name = '', other = ''] = Object.keys(first.players);
    const twice = { ...first, players: { ...first.players, [other]: first.players[name] } };
    const short = { ...first, players: { ...first.players, [name]: { front: 'Ah' } } };
    const own = await silent(forms).scoreSession([
      twice,
      first,
      short,
      { ...first, prize: 1 },
      { ...first, stakes: { default: -1 } },
      { rules: 'closed_1_6', points: { Ann: 3, Bob: -2 } },
      { rules: 'closed_1_6', order: ['Ann', 'Bob', 'Cem'], pairs: { 'Ann-Bob': 3 } },
    ]);
    expect(own.deals.map(({ error }) => error?.path ?? null)).toEqual([
      '$.players',
      null,
      `$.players.${name}`,
      '$',
      '$.stakes',
      '$.points',
      '$.pairs.Ann-Cem',
    ]);
    expect(numbers(own.deals[1]?.sheet ?? null)).toEqual(numbers(session.deals[0]?.sheet ?? null));
  });

  test('a price that the room has not seen is worked out here', async () => {
    const { deals } = await silent({ closed_1_6: forms['closed_1_6'] as ScorerSetup }).scoreSession(
      lines.filter((line) => JSON.stringify(line).includes('"closed_1_6"')),
    );
    expect(deals.every(({ error }) => error === null)).toBe(true);
    const form = await silent(forms).scoreForm({ preset: 'closed_1_6', 'stake.point': 0.25, 'stake.unit': 'EUR' });
    expect([form.point, form.unit]).toEqual([0.25, 'EUR']);
  });

  test('what counts more than points is left to the room', async () => {
    await expect(silent(forms).scoreDeal({ ...(lines[0] as DealLine), rules: 'first_to_11' }, 1)).rejects.toThrow(
      'the room is silent',
    );
  });
});

test('only a silent room is stood in for: what it refuses stays refused', async () => {
  const refusing = withOfflineFallback({
    scoreForm: () => Promise.reject(offline('rules.preset')),
    scoreDeal: () => Promise.reject(offline('card.twice')),
    scoreSession: () => Promise.reject(offline('http_500')),
  });
  await expect(refusing.scoreForm({ preset: 'x', 'stake.point': 2 })).rejects.toMatchObject({
    error: { code: 'rules.preset' },
  });
  await expect(refusing.scoreDeal({}, 1)).rejects.toMatchObject({ error: { code: 'card.twice' } });
  await expect(refusing.scoreSession([])).rejects.toMatchObject({ error: { code: 'http_500' } });
});

test('a price that is none, without a room, is refused', async () => {
  await expect(silent({}, offline('http_503')).scoreForm({ preset: 'x', 'stake.point': 0 })).rejects.toThrow(
    'the room is silent',
  );
});
