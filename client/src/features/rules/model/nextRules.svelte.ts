// The rules of a table's next match while its host changes them: from those in force, or chosen already, to others.

import type { Api, ToolsApi } from '../../../api/http';
import type { EditedRules, OptionInfo } from '../../../api/generated/types';
import { m } from '../../../shared/i18n.svelte';
import { LatestRequest, toApiError } from '../../../shared/latestRequest';
import { money } from '../../../shared/format';
import { customRules } from './customRules.svelte';
import { registerOptions, valueText, labelFor } from './format';

const [POINT, UNIT, SECONDS] = ['stake.point', 'stake.unit', 'clock.seconds'];

export interface Change {
  readonly key: string;
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

const same = (value: unknown, other: unknown): boolean => JSON.stringify(value) === JSON.stringify(other);

export class NextRules {
  /** A preset, or the id of rules of one's own; empty: the rules in force. */
  chosen = $state('');
  point = $state<number | null>(null);
  unit = $state('');
  seconds = $state<number | null>(null);
  /** The rules that the form starts from. */
  base = $state.raw<EditedRules | null>(null);
  problem = $state<string | null>(null);

  /** The rules of the chosen game, before anything is typed. */
  private game = $state.raw<EditedRules | null>(null);
  private options = $state.raw<readonly OptionInfo[]>([]);
  private readonly latest = new LatestRequest();

  constructor(
    private readonly api: Api,
    private readonly tools: ToolsApi,
    private readonly table: string,
  ) {
    void this.start();
  }

  close(): void {
    this.latest.forget();
  }

  /** Whether the chosen game is there, so that it can be asked for. */
  get ready(): boolean {
    return this.game !== null;
  }

  /** Start from other rules; those in force when none are named. */
  async choose(chosen: string): Promise<void> {
    this.chosen = chosen;
    this.problem = null;
    this.game = chosen === '' ? this.base : null;
    if (chosen === '') {
      this.latest.forget();
      this.fill();
      return;
    }
    const spec = this.spec(chosen);
    const answer = await this.latest.ask(() => this.tools.editRules(spec));
    if (answer === null) return;
    if (answer.ok) this.game = answer.value;
    else this.problem = answer.error.message;
    this.fill();
  }

  /** What differs from the rules that the form starts from, but for the rules that another game replaces. */
  readonly changes = $derived.by((): readonly Change[] => {
    const { base, game } = this;
    if (base === null || game === null) return [];
    const typed = this.value(POINT) !== base.values[POINT] || this.value(UNIT) !== base.values[UNIT];
    const price = (values: (key: string) => unknown): string => money(Number(values(POINT)), String(values(UNIT)));
    const title = (rules: EditedRules): string => rules.title || rules.preset_title;
    return [
      ...(this.chosen === '' ? [] : [{ key: 'game', name: m.common_game(), before: title(base), now: title(game) }]),
      ...(typed
        ? [
            {
              key: POINT,
              name: m.common_point_value(),
              before: price((key) => base.values[key]),
              now: price((key) => this.value(key)),
            },
          ]
        : []),
      ...(same(this.value(SECONDS), base.values[SECONDS]) ? [] : [this.change(SECONDS, base.values[SECONDS])]),
    ];
  });

  /** The table's own rules that another game would replace. */
  readonly dropped = $derived.by((): readonly Change[] => {
    if (this.chosen === '' || this.game === null) return [];
    const own = (this.base?.changes ?? []).filter(
      ({ key, now }) => ![POINT, UNIT, SECONDS].includes(key) && !same(this.value(key), now),
    );
    return own.map(({ key, now }) => this.change(key, now));
  });

  /** What is asked of the table. Options without a preset are laid over the rules in force. */
  get rules(): Record<string, unknown> {
    return {
      ...(this.chosen === '' ? {} : this.spec(this.chosen)),
      ...Object.fromEntries(
        [POINT, UNIT, SECONDS].flatMap((key) =>
          same(this.value(key), this.game?.values[key]) ? [] : [[key, this.value(key)]],
        ),
      ),
    };
  }

  private spec(chosen: string): Record<string, unknown> & { preset: string } {
    const own = customRules.find(chosen);
    return own === undefined ? { preset: chosen } : { ...own.overrides, preset: own.preset };
  }

  private value(key: string): unknown {
    const typed: Record<string, unknown> = {
      [POINT]: this.point,
      [UNIT]: this.unit.trim() || null,
      [SECONDS]: this.seconds,
    };
    return typed[key] ?? this.game?.values[key];
  }

  private change(key: string, before: unknown): Change {
    const option = this.options.find((info) => info.key === key);
    return {
      key,
      name: key.split('.').map(labelFor).join(' · '),
      before: valueText(option, before),
      now: valueText(option, this.value(key)),
    };
  }

  /** The table's own price and time stay, unless the chosen game brings its own. */
  private fill(): void {
    const { base, game } = this;
    if (base === null || game === null) return;
    const first = (key: string): unknown =>
      key in base.overrides && !(key in game.overrides) ? base.values[key] : game.values[key];
    this.point = Number(first(POINT));
    this.unit = String(first(UNIT));
    this.seconds = Number(first(SECONDS));
  }

  private async start(): Promise<void> {
    try {
      const [rules, options] = await Promise.all([this.api.rules(this.table), this.tools.options()]);
      registerOptions(options);
      this.options = options;
      this.base = await this.tools.readRules(rules.coming || rules.toml);
      await this.choose('');
    } catch (error) {
      this.problem = toApiError(error).message;
    }
  }
}
