import { mount } from 'svelte';
import { workOffline } from './core/offline/offline.svelte';
import { language } from './core/shared/language.svelte';
import { router } from './core/shared/route.svelte';
import App from './view/App.svelte';
import { fetchFirstPage } from './view/pages';
import { http, httpDesks } from './wire/api';
import { httpCups } from './wire/cups';
import { webSocket } from './wire/link';
import { httpPeople } from './wire/people';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
// Asked for before the page's code is there: over a slow line each turn of waiting counts.
const met = http.me().then(() => undefined, () => undefined);
await Promise.all([language.begin(), fetchFirstPage()]);
target.replaceChildren(); // what stood there until now
mount(App, { target, props: { met, services: { api: http, desks: httpDesks, people: httpPeople, cups: httpCups, connect: webSocket } } });
workOffline(httpDesks, http.presets, () => router.route.page !== 'table');
