// Words that are written from right to left, inside text that is not. Pure.

const RTL = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
/** What is isolated already, or a run: words beside each other, which numbers and commas end, for they belong to the text around it. */
const RUN = new RegExp(`\\u2068[^\\u2069]*\\u2069|[${RTL}](?:[${RTL}\\p{M} '’"\\-]*[${RTL}\\p{M}])?`, 'gu');
const ANY = new RegExp(`[${RTL}]`, 'u');

/** The same text, where no name that is written from right to left turns the numbers and words beside it round. */
export const isolated = (text: string): string =>
  ANY.test(text) ? text.replace(RUN, (run) => (run.startsWith('\u2068') ? run : `\u2068${run}\u2069`)) : text;
