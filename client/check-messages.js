// An ESLint rule: no words for people stand in the code, they come from messages/*.json as `m.…()`.
//
// In views it looks at text, at the attributes that people read or hear, and at strings that look like words; in the
// other files at strings of two words. What is no language (a command to type, a file's text, a mark) says so with
// `eslint-disable-next-line words/plain -- why`, or stands below.

const READ = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'title',
  'placeholder',
  'label',
  'text',
  'question',
  'action',
  'lead',
  'heading',
]);
/** No language: our name, a currency, what lies on a card. */
const NAMES = new Set(['Triptych', 'EUR', 'JOKER', 'D']);
/** What is typed or pressed, whatever one's language. */
const CODE = new Set(['code', 'kbd', 'style', 'script']);

const words = (text) => text.replace(/[“”’'.,:;!?…·–—×()+−/\s\d]+/g, ' ').trim();
const isPlain = (text) => /\p{L}{2,}/u.test(text) && !NAMES.has(words(text)) && !/^[2-9TJQKA][shdc]$/.test(text);
/** "Watch", "as one player saw it", but no key, class, path or event. */
const looksSaid = (text) =>
  isPlain(text) && (/\p{L}{2,}[,:]? \p{L}+/u.test(text) || /^\p{Lu}\p{Ll}+[.!?…]?$/u.test(text));
const looksTold = (text) =>
  isPlain(text) && /^\p{Lu}?\p{Ll}*[,:]? \p{Ll}+/u.test(text) && /\p{Ll}{2,} \p{Ll}{2,}/u.test(text);

const inside = (node, name) => {
  for (let at = node.parent; at; at = at.parent) if (name(at)) return at;
  return null;
};
const compared = ({ parent }) =>
  (parent?.type === 'BinaryExpression' && /==|in/.test(parent.operator)) ||
  parent?.type === 'SwitchCase' ||
  /^TS|^Import|^Export/.test(parent?.type ?? '') ||
  (parent?.type === 'Property' && parent.key === parent.parent);

export const plain = {
  meta: {
    type: 'problem',
    docs: {},
    schema: [],
    messages: { plain: '“{{text}}” is for people: put it into messages/en.json and say m.…()' },
  },
  create(context) {
    const view = context.filename.endsWith('.svelte');
    const report = (node, text) => context.report({ node, messageId: 'plain', data: { text: text.trim() } });
    const look = (node, text) => {
      if (
        compared(node) ||
        inside(
          node,
          (at) =>
            at.type === 'SvelteAttribute' &&
            /^(data-|class|style|d$|points$|media|type|name|href)/.test(at.key?.name ?? ''),
        )
      )
        return;
      if (
        inside(
          node,
          (at) =>
            at.type === 'CallExpression' &&
            /querySelector|addEventListener|matchMedia|setAttribute|getElementById|\.closest|\.matches/.test(
              context.sourceCode.getText(at.callee),
            ),
        )
      )
        return;
      if (inside(node, (at) => at.type === 'SvelteStyleElement' || at.type === 'SvelteStyleDirective')) return;
      if (
        inside(node, (at) => at.type === 'NewExpression' && at.callee.name === 'Error') &&
        !view &&
        !/\bm\./.test(context.sourceCode.getText(node))
      )
        return;
      if (view ? looksSaid(text) : looksTold(text)) report(node, text);
    };
    return {
      SvelteText(node) {
        const at = inside(node, (one) => one.type === 'SvelteElement');
        if (inside(node, (one) => one.type === 'SvelteStyleElement')) return;
        if (isPlain(node.value) && !CODE.has(at?.name?.name ?? '')) report(node, node.value);
      },
      SvelteAttribute(node) {
        if (!READ.has(node.key.name)) return;
        for (const part of node.value)
          if (part.type === 'SvelteLiteral' && isPlain(part.value)) report(part, part.value);
      },
      Literal(node) {
        if (typeof node.value === 'string') look(node, node.value);
      },
      TemplateLiteral(node) {
        look(node, node.quasis.map((part) => part.value.cooked).join('\u0000'));
      },
    };
  },
};
