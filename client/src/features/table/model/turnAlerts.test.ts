import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deal, sheet, task, view } from '../../../../testing/table';
import type { TableView } from '../../../api/generated/types';
import { prefs } from '../../../shared/prefs.svelte';
import { syncServerTime } from '../../../shared/time.svelte';

/** What a browser would do outside the page is written down instead. */
let calls: unknown[][] = [];
let struck: { what: 'start' | 'stop'; at: number }[] = [];
let active = true;

class Shown {
  static permission = 'granted';
  onclick: (() => void) | null = null;
  constructor(title: string, options: { body: string; tag: string }) {
    calls.push(['notify', title, options.body, options.tag]);
  }
  close(): void {
    calls.push(['close']);
  }
}

class Tone {
  type = '';
  readonly frequency = { value: 0 };
  connect<To>(to: To): To {
    return to;
  }
  start(at: number): void {
    struck.push({ what: 'start', at });
  }
  stop(at: number): void {
    struck.push({ what: 'stop', at });
  }
}

class Audio {
  state = 'suspended';
  currentTime = 0;
  destination = {};
  resume(): Promise<void> {
    this.state = 'running';
    return Promise.resolve();
  }
  createOscillator(): Tone {
    return new Tone();
  }
  createGain(): unknown {
    return {
      gain: {
        setValueAtTime: () => undefined,
        linearRampToValueAtTime: () => undefined,
        exponentialRampToValueAtTime: () => undefined,
      },
      connect: <To>(to: To): To => to,
    };
  }
}

let stop: () => void;
let voice: InstanceType<(typeof import('./turnAlerts'))['AlertPlayer']>;
let sounds: () => string[];

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers({ now: 0 });
  calls = [];
  struck = [];
  active = true;
  Shown.permission = 'granted';
  vi.stubGlobal('Notification', Shown);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('AudioContext', Audio);
  vi.stubGlobal('navigator', {
    languages: ['en'],
    userActivation: {
      get hasBeenActive() {
        return active;
      },
    },
    vibrate: (shake: unknown) => calls.push(['vibrate', shake]),
  });
  const marks: string[] = [];
  vi.spyOn(performance, 'mark').mockImplementation((name) => (marks.push(name), {}) as PerformanceMark);
  sounds = () => marks.splice(0).map((name) => name.replace('sound.', ''));
  const { AlertPlayer } = await import('./turnAlerts');
  const { unlockAudio } = await import('./sound');
  const { language } = await import('../../../shared/i18n.svelte');
  await language.choose('en');
  await language.complete();
  stop = unlockAudio();
  voice = new AlertPlayer();
});

afterEach(() => {
  stop();
  voice.close();
  document.documentElement.lang = '';
  Object.assign(document, { hidden: false });
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const gesture = (): boolean => window.dispatchEvent(new Event('keydown'));
const waiting = view({ phase: 'waiting' });
const mine = (v = 2): TableView =>
  view({ v, deal: deal(1, [task('Ah Ks Kd 9c 5d', { street: v })]), yours: true, prompt: 'Place five cards' });

describe('sounds', () => {
  test('each moment has its own, of notes that end', () => {
    gesture();
    voice.update(waiting, mine());
    expect(sounds()).toEqual(['deal', 'turn']);
    voice.update(mine(), view({ phase: 'showdown', sheet: sheet(1, { fantasyland: 14 }, { status: 'foul' }) }));
    expect(sounds()).toEqual(['foul', 'fantasyland']);
    const [starts, stops] = (['start', 'stop'] as const).map((what) =>
      struck.filter((sound) => sound.what === what).map(({ at }) => at),
    );
    expect(starts).toHaveLength(11);
    expect(stops).toHaveLength(11);
    starts?.forEach((at, i) => {
      expect(stops?.[i]).toBeGreaterThan(at);
      expect(stops?.[i]).toBeLessThan(at + 2);
    });
  });

  test('what comes at once is heard one after the other', () => {
    gesture();
    voice.update(waiting, mine());
    const starts = struck.filter(({ what }) => what === 'start').map(({ at }) => at);
    const stops = struck.filter(({ what }) => what === 'stop').map(({ at }) => at);
    expect(starts[3]).toBeGreaterThan(stops[2] ?? 0);
  });

  test('nothing is heard before a gesture, nor later what was then', () => {
    voice.update(waiting, mine());
    gesture();
    voice.update(mine(), mine());
    expect(sounds()).toEqual([]);
  });

  test('nothing is heard with sounds off', async () => {
    const { prefs: own } = await import('../../../shared/prefs.svelte');
    own.set({ sound: false });
    gesture();
    voice.update(waiting, mine());
    expect(sounds()).toEqual([]);
    expect(JSON.parse(localStorage.getItem('triptych.prefs') ?? '{}')).toMatchObject({ sound: false });
    own.set({ sound: true });
    voice.update(waiting, mine());
    expect(sounds()).toEqual(['deal', 'turn']);
  });

  test('nothing old is heard: the first view, and the first after a lost connection', () => {
    gesture();
    voice.update(null, mine());
    expect(sounds()).toEqual([]);
  });
});

describe('time running out', () => {
  const clocked = (started: number, ends: number): TableView => ({
    ...mine(),
    clocks: [{ hand: 0, seat: 0, started, street_ends: ends, bank_ends: ends }],
  });

  test('is heard and felt once, when it runs out', () => {
    gesture();
    syncServerTime(0);
    voice.update(null, clocked(0, 8_000));
    vi.advanceTimersByTime(3_990);
    expect(sounds()).toEqual([]);
    voice.update(clocked(0, 8_000), clocked(0, 8_000));
    vi.advanceTimersByTime(20);
    expect(sounds()).toEqual(['time']);
    vi.advanceTimersByTime(10_000);
    expect(sounds()).toEqual([]);
    expect(calls).toEqual([['vibrate', [90, 90, 90]]]);
  });

  test('is not heard when the street was answered before, nor after the table was left', () => {
    gesture();
    voice.update(null, clocked(0, 8_000));
    voice.update(clocked(0, 8_000), view({ v: 3, deal: deal(1, []) }));
    vi.advanceTimersByTime(10_000);
    voice.update(null, clocked(10_000, 18_000));
    voice.close();
    vi.advanceTimersByTime(10_000);
    expect(sounds()).toEqual([]);
  });
});

describe('the phone', () => {
  test('shakes at one’s turn unless that is switched off, or nothing was touched yet', async () => {
    const { prefs: own } = await import('../../../shared/prefs.svelte');
    voice.update(waiting, mine());
    expect(calls).toEqual([['vibrate', [120]]]);
    own.set({ vibration: false });
    voice.update(waiting, mine());
    own.set({ vibration: true });
    active = false;
    voice.update(waiting, mine());
    expect(calls).toHaveLength(1);
  });
});

describe('a notification', () => {
  test('comes only when wanted, only to a hidden page, and goes when the page is seen', async () => {
    const { prefs: own } = await import('../../../shared/prefs.svelte');
    own.set({ vibration: false });
    voice.update(waiting, mine());
    Object.assign(document, { hidden: true });
    voice.update(waiting, mine());
    expect(calls).toEqual([]);
    own.set({ notifications: true });
    Shown.permission = 'denied';
    voice.update(waiting, mine());
    expect(calls).toEqual([]);
    Shown.permission = 'granted';
    Object.assign(document, { hidden: false });
    voice.update(waiting, mine());
    expect(calls, 'the page is seen').toEqual([]);
    Object.assign(document, { hidden: true });
    voice.update(waiting, mine());
    expect(calls).toEqual([['notify', 'Our table', 'Place five cards', 'triptych.friday']]);
    voice.dismiss();
    expect(calls.at(-1)).toEqual(['close']);
    voice.dismiss();
    expect(calls).toHaveLength(2);
  });

  test('goes with the turn', async () => {
    const { prefs: own } = await import('../../../shared/prefs.svelte');
    own.set({ vibration: false, notifications: true });
    Object.assign(document, { hidden: true });
    voice.update(waiting, mine());
    voice.update(mine(), view({ v: 3, deal: deal(1, []) }));
    expect(calls.map(([what]) => what)).toEqual(['notify', 'close']);
  });
});

test('nothing is asked of the browser before the person wants notifications', async () => {
  const { setNotifications } = await import('../../../shared/notify');
  const { prefs: own } = await import('../../../shared/prefs.svelte');
  const ask = vi.fn(() => Promise.resolve('denied' as NotificationPermission));
  Object.assign(Shown, { requestPermission: ask });
  expect(prefs.notifications).toBe(false);
  voice.update(waiting, mine());
  expect(ask).not.toHaveBeenCalled();
  await setNotifications(true);
  expect(ask).toHaveBeenCalledOnce();
  expect(own.notifications).toBe(false);
  ask.mockResolvedValue('granted');
  await setNotifications(true);
  expect(own.notifications).toBe(true);
  await setNotifications(false);
  expect(own.notifications).toBe(false);
});
