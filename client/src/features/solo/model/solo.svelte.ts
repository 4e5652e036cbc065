// The page of a solo match: resumes the one that is saved for its address, or sets up a new one.

import { ApiError, type Api, type ToolsApi } from '../../../api/http';
import type { AnalysisSetup } from '../../../api/generated/types';
import { save, load } from '../../../shared/storage';
import { m } from '../../../shared/i18n.svelte';
import { prefs } from '../../../shared/prefs.svelte';
import { loadEngineConfig } from './engineConfig';
import { OpenGames } from './games.svelte';
import { LocalGameServer } from './localServer';
import { readSolo, type SoloAddress } from './link';
import { isPlayable } from './match';
import type { LevelName } from './types';
import { isLevel } from './format';

const LEVELS_KEY = 'triptych.solo.levels';

const savedLevels = (): LevelName[] => {
  const stored = load(LEVELS_KEY);
  return Array.isArray(stored) && stored.length > 0 && stored.every(isLevel) ? stored : ['medium'];
};

export class SoloPageState {
  stage = $state<'opening' | 'setup' | 'playing'>('opening');
  readonly games: OpenGames;
  form = $state.raw<AnalysisSetup | null>(null);
  levels = $state.raw<readonly LevelName[]>(savedLevels());
  problem = $state<string | null>(null);
  /** Counts matches: another one is another table. */
  match = $state(0);
  title = $state('');
  readonly address: SoloAddress;
  server: LocalGameServer;
  private readonly key: string;

  constructor(
    api: Api,
    private readonly tools: ToolsApi,
    preset: string | null,
    fragment: string,
  ) {
    this.address = readSolo(preset, fragment);
    this.key = `solo ${this.address.rules.preset} ${fragment}`;
    this.server = this.createServer();
    this.server.open(this.key, null, !prefs.moves);
    this.games = new OpenGames(api);
  }

  /** How many opponents there may be; a position says it. */
  get maxOpponents(): number {
    return (this.form?.hands_max ?? 2) - 1;
  }

  choose(levels: readonly LevelName[]): void {
    this.levels = levels;
    save(LEVELS_KEY, levels);
  }

  /** Give the present match up for a new one. */
  async restart(): Promise<void> {
    this.server.close();
    this.server = this.createServer();
    await this.setUp();
  }

  async start(): Promise<void> {
    const { form } = this;
    if (form === null) return;
    const { position } = this.address;
    const count = position === null ? Math.min(this.levels.length, this.maxOpponents) : position.hands.length - 1;
    const levels = Array.from({ length: count }, (_, at): LevelName => this.levels[at] ?? this.levels[0] ?? 'medium');
    this.stage = 'opening';
    this.server.open(this.key, { form, levels, ...(position === null ? {} : { position }) }, !prefs.moves);
  }

  close(): void {
    this.server.close();
  }

  private createServer(): LocalGameServer {
    this.match += 1;
    return new LocalGameServer(`${this.key} ${this.match}`, () => this.title, {
      onState: ({ form }) => {
        this.title = form.title;
        this.stage = 'playing';
      },
      onNothingSaved: () => void this.setUp(),
      onFailure: (why) => {
        this.problem = m.solo_failed({ why });
        void this.setUp();
      },
    });
  }

  private async setUp(): Promise<void> {
    this.stage = 'setup';
    try {
      this.form = await loadEngineConfig(this.tools, this.address.rules);
    } catch (error) {
      this.problem = error instanceof ApiError ? error.message : String(error);
      return;
    }
    const { position, broken } = this.address;
    if (broken || !isPlayable(this.form, position ?? undefined)) {
      this.problem = m.solo_bad_position();
      this.form = null;
    } else if (this.form.player === null) {
      this.problem = m.solo_unlearned();
      this.form = null;
    }
  }
}
