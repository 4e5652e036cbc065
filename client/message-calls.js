// An ESLint rule: no message is called while a module is imported, before a language is loaded. Tables of the functions
// themselves, `{ title: m.learn_rows }`, may be made then.

export const noCallAtImport = {
  meta: {
    type: 'problem',
    docs: {},
    schema: [],
    messages: { early: 'm.{{name}}() is called before a language is loaded: call it inside a function' },
  },
  create(context) {
    // A component's script runs when the component is made.
    if (context.filename.endsWith('.svelte')) return {};
    let depth = 0;
    const enter = () => (depth += 1);
    const leave = () => (depth -= 1);
    const FUNCTION = ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression, PropertyDefinition)';
    return {
      [FUNCTION]: enter,
      [`${FUNCTION}:exit`]: leave,
      'CallExpression[callee.object.name="m"]'(node) {
        if (depth === 0) context.report({ node, messageId: 'early', data: { name: node.callee.property.name } });
      },
    };
  },
};
