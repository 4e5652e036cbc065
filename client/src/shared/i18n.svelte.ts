// The language that this browser reads: one of ours, chosen by the person or by what their browser asks for.
//
// `m` holds the messages (messages/*.json, compiled by paraglide): `m.common_ready()` inside a view follows a change of language
// by itself. Only modules of the language that is read are loaded: what the lobby says, what a table
// says besides, and the rest for other pages.

import type * as Lobby from '../../paraglide/lobby/messages/_index.js';
import type * as Table from '../../paraglide/table/messages/_index.js';
import type * as Rest from '../../paraglide/rest/messages/_index.js';
import { isolated } from './bidi';
import { save, load } from './storage';

type Index = typeof Lobby & typeof Table & typeof Rest;

/** A language's messages; the index, which is never loaded itself, tells best what each of them takes. */
export type Messages = {
  readonly [K in keyof Index]: (
    ...inputs: Parameters<Index[K]> extends [infer I, ...unknown[]] ? [inputs: I] : []
  ) => string;
};

const KEY = 'triptych.language';

// The parts of the messages (build-messages.js) in the order in which they are needed.
const PARTS = ['lobby', 'table', 'rest'] as const;
type Part = (typeof PARTS)[number];

/** The languages by their code, each in its own words and as browsers call it. */
export const LANGUAGES = {
  en: {
    name: 'English',
    tag: 'en',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/en.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/en.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/en.js'),
    ],
  },
  zh: {
    name: '简体中文',
    tag: 'zh-Hans',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/zh.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/zh.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/zh.js'),
    ],
  },
  ru: {
    name: 'Русский',
    tag: 'ru',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/ru.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/ru.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/ru.js'),
    ],
  },
  es: {
    name: 'Español',
    tag: 'es',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/es.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/es.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/es.js'),
    ],
  },
  fi: {
    name: 'Suomi',
    tag: 'fi',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/fi.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/fi.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/fi.js'),
    ],
  },
  vi: {
    name: 'Tiếng Việt',
    tag: 'vi',
    parts: [
      (): Promise<unknown> => import('../../paraglide/lobby/messages/vi.js'),
      (): Promise<unknown> => import('../../paraglide/table/messages/vi.js'),
      (): Promise<unknown> => import('../../paraglide/rest/messages/vi.js'),
    ],
  },
} as const;

export type LanguageCode = keyof typeof LANGUAGES;

const isOurs = (code: unknown): code is LanguageCode => typeof code === 'string' && Object.hasOwn(LANGUAGES, code);

/** The first of a person's languages that is ours, English when none is. */
export function matchLanguage(wanted: readonly string[]): LanguageCode {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isOurs) ?? 'en';
}

let read = $state.raw<{ code: LanguageCode; messages: Messages; parts: number } | null>(null);
let chosen = $state.raw<LanguageCode | null>(null);
// How many parts the pages need that were asked for.
let needed = 1;

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
  /** Read the messages up to a part; to be awaited before any page but the lobby is drawn. */
  async complete(part: Part = 'rest'): Promise<void> {
    const parts = PARTS.indexOf(part) + 1;
    needed = Math.max(needed, parts);
    while (read === null || read.parts < parts) await loadMessages();
  },
  /** Change the language and remember it; null: as the browser asks. */
  choose(code: LanguageCode | null): Promise<void> {
    chosen = code;
    save(KEY, code);
    return loadMessages();
  },
};

async function loadMessages(): Promise<void> {
  const code = chosen ?? matchLanguage(navigator.languages);
  const loads = LANGUAGES[code].parts.slice(0, needed);
  const parts = (await Promise.all(loads.map((part) => part()))) as Messages[];
  // While it was loading, another one may have been chosen, or more of this one have come.
  if (code !== (chosen ?? matchLanguage(navigator.languages)) || (read?.code === code && read.parts > parts.length))
    return;
  // An object of our own: a module is slow to ask for a name that is not written there.
  const messages = Object.assign({}, ...parts) as Messages;
  read = { code, messages, parts: parts.length };
  document.documentElement.lang = LANGUAGES[code].tag;
}

const functions: Record<string, (inputs?: unknown) => string> = {};

/** Each message is one function for good, which looks its language up when it is called: a table of them may be made at any time. */
export const m = new Proxy(functions, {
  get: (cache, key) =>
    (cache[key as string] ??= (inputs) => {
      if (read === null) throw new Error(`message ${String(key)} before a language is loaded`);
      return isolated((read.messages as Record<string, (inputs?: unknown) => string>)[key as string]?.(inputs) ?? '');
    }),
}) as unknown as Messages;
