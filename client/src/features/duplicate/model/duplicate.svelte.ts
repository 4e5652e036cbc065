// The page of a duplicate match: set up, played on this device, and then compared with what others made of its decks.

import { ApiError, type Api, type ToolsApi, type RulesSpec } from '../../../api/http';
import type { AnalysisSetup } from '../../../api/generated/types';
import { duplicateSetUp } from '../../analyse/model/link';
import { save, load } from '../../../shared/storage';
import { m } from '../../../shared/i18n.svelte';
import { prefs } from '../../../shared/prefs.svelte';
import { router } from '../../../shared/router.svelte';
import { loadEngineConfig } from '../../solo/model/engineConfig';
import { OpenGames } from '../../solo/model/games.svelte';
import { LocalGameServer } from '../../solo/model/localServer';
import { newSeed } from '../../solo/model/seed';
import type { LevelName, State } from '../../solo/model/types';
import {
  duplicatePath,
  MAX_NAME_LENGTH,
  mergeResults,
  readDuplicate,
  SEATS,
  type DuplicateAddress,
  type Match,
  type Result,
} from './link';
import { parWorker } from './par';

/** What this browser keeps of a match beside the match itself. */
interface Noted {
  readonly name: string;
  readonly others: readonly Result[];
}

export const LENGTHS = [2, 4, 8, 12, 20, 40] as const;

export class Duplicate {
  stage = $state<'opening' | 'setup' | 'invited' | 'playing' | 'looking'>('opening');
  problem = $state<string | null>(null);
  form = $state.raw<AnalysisSetup | null>(null);
  level = $state<LevelName>('medium');
  deals = $state(LENGTHS[2] as number);
  match = $state.raw<Match | null>(null);
  /** My points deal by deal as far as I have come, and my seat; null before I have begun. */
  mine = $state.raw<{ readonly seat: number; readonly points: readonly number[]; readonly over: boolean } | null>(
    null,
  );
  name = $state('');
  others = $state.raw<readonly Result[]>([]);
  /** Points of seat 0 when the bot plays both, deal by deal as far as they are worked out. */
  par = $state.raw<readonly number[]>([]);
  shows = $state(false);
  readonly address: DuplicateAddress;
  readonly games: OpenGames;
  house: LocalGameServer | null = null;
  private worker: Worker | null = null;

  /** All that may be compared: others' results wait until I have played. */
  readonly results = $derived.by((): readonly Result[] => {
    const { mine, others } = this;
    return mine?.over === true
      ? [
          { name: this.name, seat: mine.seat, points: mine.points },
          ...others.filter(
            (result) =>
              result.seat !== mine.seat || result.points.join() !== mine.points.join() || result.name !== this.name,
          ),
        ]
      : others;
  });
  /** With what this browser knows. */
  readonly path = $derived(
    this.match === null ? '' : duplicatePath(this.match, this.mine?.over === true ? this.results : []),
  );

  constructor(
    api: Api,
    private readonly tools: ToolsApi,
    preset: string | null,
    fragment: string,
  ) {
    this.address = readDuplicate(preset, fragment);
    this.games = new OpenGames(api);
    if (this.address.broken) this.problem = m.duplicate_broken();
    api.me().then(
      ({ name }) => (this.name ||= name),
      () => undefined, // without a network nobody has a name here
    );
    const { match } = this.address;
    if (match === null) void this.setUp();
    else {
      this.open(match);
      this.house?.open(this.key, null, !prefs.moves);
    }
  }

  close(): void {
    this.house?.close();
    this.worker?.terminate();
  }

  choose(rules: RulesSpec): void {
    router.replace(duplicateSetUp(rules));
    router.look();
  }

  /** Begin a match of my own. */
  async begin(): Promise<void> {
    const match: Match = { rules: this.address.rules, seed: newSeed(), deals: this.deals, level: this.level };
    router.replace(duplicatePath(match));
    this.open(match);
    await this.play(0);
  }

  /** Play the match from a seat. */
  async play(seat: number): Promise<void> {
    const { match, house } = this;
    if (match === null || house === null) return;
    this.stage = 'opening';
    try {
      const form = await loadEngineConfig(this.tools, match.rules);
      if (form.player === null) throw new Error(m.solo_unlearned());
      house.open(
        this.key,
        { form, levels: [match.level], seed: match.seed, games: match.deals, turned: seat },
        !prefs.moves,
      );
    } catch (error) {
      this.failed(error);
    }
  }

  /** Look at others' results without having played. */
  async look(): Promise<void> {
    this.stage = 'looking';
    await this.measure();
  }

  rename(name: string): void {
    this.name = name.trim().slice(0, MAX_NAME_LENGTH);
    this.note();
  }

  private get key(): string {
    const { match } = this;
    return match === null ? '' : `duplicate ${duplicatePath(match)}`;
  }

  private note(): void {
    save(`triptych.${this.key}`, { name: this.name, others: this.others } satisfies Noted);
  }

  private async setUp(): Promise<void> {
    this.stage = 'setup';
    try {
      this.form = await loadEngineConfig(this.tools, this.address.rules);
      if (this.form.player !== null && this.form.hands_min <= SEATS) return;
      this.form = null;
      this.problem = m.solo_unlearned();
    } catch (error) {
      this.failed(error);
    }
  }

  private open(match: Match): void {
    this.match = match;
    const noted = load(`triptych.${this.key}`) as Noted | null;
    this.name = noted?.name ?? this.name;
    this.others = mergeResults([...(noted?.others ?? []), ...this.address.results]);
    if (this.address.results.length > 0) this.note();
    this.house = new LocalGameServer(this.key, () => this.form?.title ?? '', {
      onState: (state) => this.onState(state),
      onNothingSaved: () => (this.stage = 'invited'),
      onFailure: (why) => this.failed(new Error(m.solo_failed({ why }))),
    });
  }

  private onState({ form, turned, won, over }: State): void {
    this.form = form;
    this.stage = 'playing';
    const before = this.mine?.over ?? false;
    this.mine = { seat: turned, points: won, over };
    if (!over || before) return;
    this.shows = true;
    void this.measure();
  }

  /** Let the bot play the decks against itself: par. */
  private async measure(): Promise<void> {
    const { match } = this;
    if (match === null || this.worker !== null) return;
    try {
      const form = this.form ?? (await loadEngineConfig(this.tools, match.rules));
      this.form = form;
      this.worker = parWorker(
        { form, match },
        (points) => (this.par = [...this.par, points]),
        (why) => this.failed(new Error(why)),
      );
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    this.problem = error instanceof ApiError || error instanceof Error ? error.message : String(error);
    if (this.stage === 'opening') this.stage = this.match === null ? 'setup' : 'invited';
  }
}
