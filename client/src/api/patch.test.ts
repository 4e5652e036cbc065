import { describe, expect, test } from 'vitest';
import { room } from '../../testing/room';
import { proofOf, applyPatch } from './patch';
import type { TableView } from './generated/types';

describe.skipIf(room === null)('a page that is told parts', () => {
  const { first, paths = [], steps = [] } = room?.table ?? {};

  test('holds the whole after every update of two deals, by the room’s own proof', () => {
    expect(steps.length).toBeGreaterThan(20);
    let held = first as TableView;
    for (const { message, whole } of steps) {
      held = applyPatch(held, message, paths);
      expect(held).toEqual(whole);
      expect(proofOf(held)).toBe(message.proof);
      expect(proofOf({ ...held, name: 'x' })).not.toBe(message.proof);
    }
    expect(held.talk.map(({ text }) => text)).toContain('牌 🂡 </p>');
  });
});
