// `npm run dev`, then /dev/?scene=street3: the pages against recorded views, without a server. Not part of the build.

export {};

const scene = new URLSearchParams(location.search).get('scene') ?? 'street3';
// Before the pages are loaded: they read the address when they are.
history.replaceState(null, '', scene.startsWith('lobby') ? '/' : '/t/friday');
const [{ mount }, { default: App }, { fakeApi, fakeConnect }, { httpTools }, { httpAccount }, { httpTournaments }] =
  await Promise.all([
    import('svelte'),
    import('../src/app/App.svelte'),
    import('./fake'),
    import('../src/api/http'),
    import('../src/api/account'),
    import('../src/api/tournaments'),
  ]);

await (await import('../src/shared/i18n.svelte')).language.begin();
const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
mount(App, {
  target,
  props: {
    met: Promise.resolve(),
    services: {
      api: fakeApi(scene),
      tools: httpTools,
      people: httpAccount,
      cups: httpTournaments,
      connect: fakeConnect(scene),
    },
  },
});
