import { expect, test } from 'vitest';
import { isolated } from './bidi';

test('a text that nobody writes from right to left stays the very same', () => {
  expect(isolated('Ann pays Bob 3')).toBe('Ann pays Bob 3');
});

test('each name from right to left is isolated, with the words beside it and without the numbers', () => {
  expect(isolated('דנה pays محمد علي 3')).toBe('\u2068דנה\u2069 pays \u2068محمد علي\u2069 3');
  expect(isolated('דנה 3, יעל')).toBe('\u2068דנה\u2069 3, \u2068יעל\u2069');
});

test('what is isolated already is not isolated again', () => {
  expect(isolated('\u2068דנה\u2069 pays')).toBe('\u2068דנה\u2069 pays');
  expect(isolated(isolated('דנה pays יעל'))).toBe('\u2068דנה\u2069 pays \u2068יעל\u2069');
});
