// @vitest-environment happy-dom
import { flushSync, mount } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { at, draw, fill, seen } from '../../testing/drawn';
import NumberInput from './NumberInput.svelte';

const field = (): HTMLInputElement => at<HTMLInputElement>('n');

describe('a number field', () => {
  test('gives a number as soon as it is typed', () => {
    const onnumber = vi.fn();
    draw(NumberInput, { value: 3, low: 1, high: 20, testid: 'n', onnumber });
    expect(field().value).toBe('3');
    fill(field(), '12');
    expect(onnumber.mock.calls).toEqual([[12]]);
    expect(seen('n-limits')).toBeNull();
    expect(field().getAttribute('aria-invalid')).toBe('false');
  });

  test.each([
    ['21', 1, 20, 1, false, 'A whole number from 1 to 20'],
    ['0', 1, 20, 1, false, 'A whole number from 1 to 20'],
    ['2.5', 1, 20, 1, false, 'A whole number from 1 to 20'],
    ['', 1, 20, 1, false, 'A whole number from 1 to 20'],
    ['-1', 0, null, 1, false, 'A whole number, 0 or more'],
    ['1.5', 0, 1, 0.01, false, 'A number from 0 to 1'],
    ['0', 0, 1_000, 'any', true, 'A number above 0, up to 1000'],
    ['1001', 0, 1_000, 'any', true, 'A number above 0, up to 1000'],
  ] as const)(
    'does nothing with %s, leaves it as it stands and says the limits',
    (typed, low, high, step, above, limits) => {
      const onnumber = vi.fn();
      draw(NumberInput, { value: 1, low, high, step, above, testid: 'n', onnumber });
      fill(field(), typed);
      field().dispatchEvent(new Event('blur'));
      flushSync();
      expect(onnumber).not.toHaveBeenCalled();
      expect(field().value).toBe(typed);
      expect(at('n-limits').textContent).toBe(limits);
      expect(field().getAttribute('aria-invalid')).toBe('true');
      expect(field().getAttribute('aria-describedby')).toBe(at('n-limits').id);
    },
  );

  test('takes fractions where they are asked for', () => {
    const onnumber = vi.fn();
    draw(NumberInput, { value: 1, low: 0, high: 10, step: 'any' as const, above: true, testid: 'n', onnumber });
    fill(field(), '0.25');
    expect(onnumber.mock.calls).toEqual([[0.25]]);
  });

  test('forgets what was wrong when another value comes from elsewhere', () => {
    const props = $state({ value: 5, low: 1, high: 9, testid: 'n', onnumber: () => undefined });
    mount(NumberInput, { target: document.body, props });
    flushSync();
    fill(field(), '77');
    expect(seen('n-limits')).not.toBeNull();
    props.value = 4;
    flushSync();
    expect(field().value).toBe('4');
    expect(seen('n-limits')).toBeNull();
  });
});
