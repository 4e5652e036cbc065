// The service worker: what the pages need without a network. Whoever has a network always gets the server's own page;
// what is kept here stands in only where nothing answers. Built by offline/plugin.js, which says VERSION and FILES.
/* global VERSION, FILES */

const THIS = `triptych-${VERSION}`;
const ANSWERS = 'triptych-answers'; // forms, lists, learned tables, puzzles: of any version
const SHELL = '/';
const DOWN = [502, 503, 504]; // said by what stands before a room that is not there
/** Asked of the server first; what it said last stands in for it. */
const ASKED = /^\/(kernel\.wasm|api\/(presets|puzzles|analysis|score\/form))$/;
/** Named by its content: never asked for twice. */
const FOR_EVER = /^\/(assets|fields|weights|puzzles)\//;

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
// Only when the person has said so: until then the older version serves its open pages.
addEventListener('message', ({ data }) => {
  if (data === 'begin') void skipWaiting();
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (request.method === 'GET' && FOR_EVER.test(pathname)) event.respondWith(once(request, pathname));
  else if (ASKED.test(pathname)) event.respondWith(asked(request, pathname));
});

async function install() {
  const mine = await caches.open(THIS);
  await Promise.all(
    FILES.map(async (file) => {
      // A file of the same name in an older version is the same file.
      const known = FOR_EVER.test(file) ? await caches.match(file) : undefined;
      await (known === undefined ? mine.add(new Request(file, { cache: 'no-cache' })) : mine.put(file, known));
    }),
  );
  await mine.add(new Request(SHELL, { cache: 'no-cache' }));
}

/** The version before this one stays: pages of it may still be open, and load their parts when they need them. */
async function activate() {
  const versions = (await caches.keys()).filter(
    (name) => name.startsWith('triptych-') && name !== ANSWERS && name !== THIS,
  );
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

async function page(request) {
  const shell = () => caches.match(SHELL, { cacheName: THIS });
  try {
    const answer = await fetch(request);
    return DOWN.includes(answer.status) ? ((await shell()) ?? answer) : answer;
  } catch (fault) {
    const kept = await shell();
    if (kept === undefined) throw fault;
    return kept;
  }
}

async function once(request, pathname) {
  const kept = await caches.match(pathname);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (!answer.ok) return answer;
  await keep(pathname.startsWith('/assets/') ? THIS : ANSWERS, pathname, answer);
  if (!pathname.startsWith('/assets/')) await dropUnnamed(pathname).catch(() => undefined);
  return answer;
}

/** A file has come: those of its kind that no answer names any more were another version's. */
async function dropUnnamed(pathname) {
  const all = await caches.open(ANSWERS);
  const places = (await all.keys()).map(({ url }) => new URL(url).pathname + new URL(url).search);
  const kind = /^\/\w+\//.exec(pathname)[0];
  const old = new Set(places.filter((place) => place.startsWith(kind) && place !== pathname));
  for (const place of places.filter((one) => one.startsWith('/kept/'))) {
    if (old.size === 0) return; // usually after the first few answers
    const said = (await (await all.match(place))?.text()) ?? '';
    for (const one of old) if (said.includes(one)) old.delete(one);
  }
  await Promise.all([...old].map((place) => all.delete(place)));
}

/** By what was asked and in which language, so that a question with a body has a place too. */
async function asked(request, pathname) {
  const body = request.method === 'POST' ? await request.clone().text() : '';
  // The kernel has come with this version's files already.
  const last = async () => (await caches.match(place)) ?? (await caches.match(pathname, { cacheName: THIS }));
  const place = `/kept${pathname}?${new URLSearchParams({ body, language: request.headers.get('accept-language') ?? '' })}`;
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(ANSWERS, place, answer);
    return DOWN.includes(answer.status) ? ((await last()) ?? answer) : answer;
  } catch (fault) {
    const kept = await last();
    if (kept === undefined) throw fault;
    return kept;
  }
}

/** What cannot be kept, as on a full disk, is had all the same. */
async function keep(cache, place, answer) {
  const copy = answer.clone();
  await caches
    .open(cache)
    .then(
      (open) => open.put(place, copy),
      () => undefined,
    )
    .catch(() => undefined);
}
