// The state of the lobby: the guest, which tables there are, which games can be played.

import type { Api } from '../../../api/http';
import type { LevelItem, LobbyTable, Me, NewTable, PresetItem } from '../../../api/generated/types';
import { toApiError } from '../../../shared/latestRequest';
import { notices } from '../../../shared/notices.svelte';
import { person } from '../../../shared/person.svelte';
import { prefs } from '../../../shared/prefs.svelte';
import { router, tablePath } from '../../../shared/router.svelte';

const LOOK_EVERY = 4_000;

export class LobbyState {
  me = $state.raw<Me | null>(null);
  tables = $state.raw<readonly LobbyTable[] | null>(null);
  presets = $state.raw<readonly PresetItem[]>([]);
  levels = $state.raw<readonly LevelItem[]>([]);
  offline = $state(false);

  private readonly timer: number;

  constructor(private readonly api: Api) {
    void this.start();
    this.timer = window.setInterval(() => {
      if (!document.hidden) void this.look();
    }, LOOK_EVERY);
  }

  close(): void {
    clearInterval(this.timer);
  }

  async rename(name: string): Promise<boolean> {
    return (await this.tell(async () => this.know(await this.api.rename(name)))) !== null;
  }

  /** Open a table and go there. */
  async create(table: NewTable): Promise<void> {
    const created = await this.tell(() => this.api.create(table));
    if (created !== null) router.go(tablePath(created.table));
  }

  /** Play now: sit down against a bot, with the guide unless it was switched off. */
  async play(): Promise<void> {
    const created = await this.tell(() => this.api.play());
    if (created === null) return;
    if (prefs.guide === null) prefs.set({ guide: true });
    router.go(tablePath(created.table));
  }

  private know(me: Me): Me {
    person.name = me.name;
    return (this.me = me);
  }

  private async start(): Promise<void> {
    // The guest first: that sets the cookie which every other request needs.
    await this.tell(async () => this.know(await this.api.me()));
    const [presets, levels] = await Promise.all([
      this.tell(() => this.api.presets()),
      this.tell(() => this.api.levels()),
      this.look(),
    ]);
    // After the tables: a control that can be used is no longer moved by what comes above it.
    if (presets !== null) this.presets = presets.filter((preset) => preset.playable);
    if (levels !== null) this.levels = levels;
  }

  private async look(): Promise<void> {
    try {
      this.tables = await this.api.tables();
      this.offline = false;
    } catch {
      this.offline = true;
    }
  }

  private async tell<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      notices.refuse(toApiError(error));
      return null;
    }
  }
}
