// How a table calls for its player: by sound, by a shake of the phone, and from behind other windows by a notification.

import type { TableView } from '../../../api/generated/types';
import { m } from '../../../shared/i18n.svelte';
import { mayNotify, notify } from '../../../shared/notify';
import { prefs } from '../../../shared/prefs.svelte';
import { sound } from './sound';
import { now } from '../../../shared/time.svelte';
import { tableEvents, timeRunningOut, type TableEvent } from './soundEvents';

const SHAKES: Readonly<Partial<Record<TableEvent, number[]>>> = { turn: [120], time: [90, 90, 90] };

export class AlertPlayer {
  private timer = 0;
  private due: number | null = null;
  private shown: Notification | null = null;

  /** Take in a view; `before` is null for the first one and after a lost connection: what happened then is old. */
  update(before: TableView | null, after: TableView): void {
    for (const moment of before === null ? [] : tableEvents(before, after)) this.alert(moment, after);
    this.watch(after);
    if (!after.yours) this.dismiss();
  }

  /** The person looks at the table again. */
  dismiss(): void {
    this.shown?.close();
    this.shown = null;
  }

  close(): void {
    clearTimeout(this.timer);
    this.dismiss();
  }

  private alert(moment: TableEvent, view: TableView): void {
    sound(moment);
    const shake = SHAKES[moment];
    if (shake === undefined) return;
    if (prefs.vibration && navigator.userActivation.hasBeenActive) navigator.vibrate?.(shake);
    if (!document.hidden || !mayNotify()) return;
    this.dismiss();
    this.shown = notify(
      view.name,
      moment === 'time' ? m.table_time_running_out() : view.prompt,
      `triptych.${view.table}`,
    );
  }

  private watch(view: TableView): void {
    const due = timeRunningOut(view);
    if (due === this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    if (due !== null && due > now()) this.timer = window.setTimeout(() => this.alert('time', view), due - now());
  }
}
