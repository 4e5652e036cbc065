// Notifications of the system: never asked for except by a click, never sent while the page is seen.

import { m } from './i18n.svelte';
import { notices } from './notices.svelte';
import { prefs } from './prefs.svelte';

/** A page on plain http, and some browsers, have none. */
const CAN = 'Notification' in window && window.isSecureContext;

export const mayNotify = (): boolean => CAN && prefs.notifications && Notification.permission === 'granted';

/** The switch was clicked: ask the browser, and say so where it refuses. */
export async function setNotifications(on: boolean): Promise<void> {
  prefs.set({ notifications: on });
  if (!on) return;
  if (!CAN) {
    prefs.set({ notifications: false });
    return notices.say(m.common_notifications_https(), 'bad');
  }
  if ((await Notification.requestPermission()) === 'granted') return;
  prefs.set({ notifications: false });
  notices.say(m.common_notifications_blocked(), 'bad');
}

/** Show one; a later one with the same tag takes its place. Null where the browser has them only from elsewhere. */
export function notify(title: string, body: string, tag: string): Notification | null {
  try {
    const notification = new Notification(title, { body, tag, icon: '/icon-192.png' });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    return notification;
  } catch {
    return null; // Chrome on Android wants a service worker
  }
}
