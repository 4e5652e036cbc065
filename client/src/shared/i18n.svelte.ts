// The language that this browser reads: one of ours, chosen by the person or by what their browser asks for.
//
// `m` holds the messages (messages/*.json, compiled by paraglide): `m.common_ready()` inside a view follows a change of language
// by itself. Only the module of the language that is read is loaded.

import type * as Index from '../../paraglide/messages/_index.js';
import { isolated } from './bidi';
import { save, load } from './storage';

/** A language's messages; the index, which is never loaded itself, tells best what each of them takes. */
export type Messages = {
  readonly [K in keyof typeof Index]: (
    ...inputs: Parameters<(typeof Index)[K]> extends [infer I, ...unknown[]] ? [inputs: I] : []
  ) => string;
};

const KEY = 'triptych.language';

/** The languages by their code, each in its own words and as browsers call it. */
export const LANGUAGES = {
  en: { name: 'English', tag: 'en', load: (): Promise<unknown> => import('../../paraglide/messages/en.js') },
  zh: { name: '简体中文', tag: 'zh-Hans', load: (): Promise<unknown> => import('../../paraglide/messages/zh.js') },
  ru: { name: 'Русский', tag: 'ru', load: (): Promise<unknown> => import('../../paraglide/messages/ru.js') },
  es: { name: 'Español', tag: 'es', load: (): Promise<unknown> => import('../../paraglide/messages/es.js') },
  fi: { name: 'Suomi', tag: 'fi', load: (): Promise<unknown> => import('../../paraglide/messages/fi.js') },
  vi: { name: 'Tiếng Việt', tag: 'vi', load: (): Promise<unknown> => import('../../paraglide/messages/vi.js') },
} as const;

export type LanguageCode = keyof typeof LANGUAGES;

const isOurs = (code: unknown): code is LanguageCode => typeof code === 'string' && Object.hasOwn(LANGUAGES, code);

/** The first of a person's languages that is ours, English when none is. */
export function ofThese(wanted: readonly string[]): LanguageCode {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isOurs) ?? 'en';
}

let read = $state.raw<{ code: LanguageCode; messages: Messages } | null>(null);
let chosen = $state.raw<LanguageCode | null>(null);

export const language = {
  /** The language that is read. */
  get code(): LanguageCode {
    return read?.code ?? 'en';
  },
  /** As browsers and `Intl` call it. */
  get tag(): string {
    return LANGUAGES[this.code].tag;
  },
  /** What the person chose; null: as the browser asks. */
  get chosen(): LanguageCode | null {
    return chosen;
  },
  /** Read what was chosen before, else what the browser asks for; to be awaited before anything is drawn. */
  begin(): Promise<void> {
    const before = load(KEY);
    chosen = isOurs(before) ? before : null;
    return loadMessages();
  },
  /** Change the language and remember it; null: as the browser asks. */
  choose(code: LanguageCode | null): Promise<void> {
    chosen = code;
    save(KEY, code);
    return loadMessages();
  },
};

async function loadMessages(): Promise<void> {
  const code = chosen ?? ofThese(navigator.languages);
  // An object of our own: a module is slow to ask for a name that is not written there.
  const messages = { ...((await LANGUAGES[code].load()) as Messages) };
  // While it was loading, another one may have been chosen.
  if (code !== (chosen ?? ofThese(navigator.languages))) return;
  read = { code, messages };
  document.documentElement.lang = LANGUAGES[code].tag;
}

const functions: Record<string, (inputs?: unknown) => string> = {};

/** Each message is one function for good, which looks its language up when it is called: a table of them may be made at any time. */
export const m = new Proxy(functions, {
  get: (made, key) =>
    (made[key as string] ??= (inputs) => {
      if (read === null) throw new Error(`message ${String(key)} before a language is loaded`);
      return isolated((read.messages as Record<string, (inputs?: unknown) => string>)[key as string]?.(inputs) ?? '');
    }),
}) as unknown as Messages;
