import { mount } from 'svelte';
import { workOffline } from '../shared/offline.svelte';
import { language } from '../shared/i18n.svelte';
import { person } from '../shared/person.svelte';
import { router } from '../shared/router.svelte';
import App from './App.svelte';
import { fetchFirstPage } from './pages';
import { http, httpTools } from '../api/http';
import { httpTournaments } from '../api/tournaments';
import { webSocket } from '../api/connection';
import { httpAccount } from '../api/account';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
// Asked for before the page's code is there: over a slow line each turn of waiting counts.
const met = http.me().then(
  ({ name }) => {
    person.name = name;
  },
  () => undefined,
);
await Promise.all([language.begin(), fetchFirstPage()]);
target.replaceChildren(); // what stood there until now
mount(App, {
  target,
  props: {
    met,
    services: { api: http, tools: httpTools, people: httpAccount, cups: httpTournaments, connect: webSocket },
  },
});
workOffline(httpTools, http.presets, () => router.route.page !== 'table');
