// The state of the house rules editor: what was changed, and what the server says of it.

import type { ToolsApi } from '../../../api/http';
import type { EditedRules, OptionInfo, WireError } from '../../../api/generated/types';
import { LatestRequest, toApiError } from '../../../shared/latestRequest';
import { rulesPath, type Overrides } from './link';
import { registerOptions, optionAt } from './format';
import { isUsed } from './usedOptions';

const WAIT = 90;

export interface Problem {
  readonly key: string;
  readonly level: 'error' | 'warning';
  readonly message: string;
}

export class RulesState {
  options = $state.raw<readonly OptionInfo[]>([]);
  /** The last rules that the server could read. */
  edited = $state.raw<EditedRules | null>(null);
  overrides = $state.raw<Overrides>({});
  /** Why the rules as they stand cannot be read; `edited` is then what they were before. */
  refused = $state.raw<WireError | null>(null);

  private readonly latest = new LatestRequest();
  private timer = 0;

  constructor(
    private readonly tools: ToolsApi,
    readonly preset: string,
    overrides: Overrides,
  ) {
    this.overrides = overrides;
    void this.start();
  }

  close(): void {
    clearTimeout(this.timer);
    this.latest.forget();
  }

  get spec(): { readonly preset: string; readonly [key: string]: unknown } {
    return { ...this.overrides, preset: this.preset };
  }

  get path(): string {
    return rulesPath(this.preset, this.overrides);
  }

  readonly changes = $derived(this.edited?.changes ?? []);
  /** What keeps a table from being opened. */
  readonly blocked = $derived(
    this.refused !== null || (this.edited?.problems.some((problem) => problem.level === 'error') ?? true),
  );

  /** What is wrong, and with which option; the empty key is the rules as a whole. */
  readonly problems = $derived.by((): readonly Problem[] => {
    const all = [
      ...(this.edited?.problems ?? []),
      ...(this.refused === null ? [] : [{ ...this.refused, level: 'error' as const }]),
    ];
    return all.map(({ level, message, path }) => ({ key: optionAt(this.options, path) ?? '', level, message }));
  });

  problemsOf(...keys: string[]): readonly Problem[] {
    return this.problems.filter((problem) => keys.includes(problem.key));
  }

  isChanged(key: string): boolean {
    return this.changes.some((change) => change.key === key);
  }

  option(key: string): OptionInfo | undefined {
    return this.options.find((option) => option.key === key);
  }

  value(key: string): unknown {
    return key in this.overrides ? this.overrides[key] : this.edited?.values[key];
  }

  /** Whether what the option stands for was changed, so that it is no longer the kind that it is called. */
  isOwn(key: string): boolean {
    const parts = this.option(key)?.resets ?? [];
    return parts.some((part) => part in this.overrides && isUsed(part, (other) => this.value(other)));
  }

  set(key: string, value: unknown): void {
    this.change({ ...this.without(key), [key]: value });
  }

  /** Let an option be as the preset has it. */
  back(key: string): void {
    this.change(this.without(key));
  }

  startOver(): void {
    this.change({});
  }

  private without(key: string): Overrides {
    const gone = [key, ...(this.option(key)?.resets ?? [])];
    return Object.fromEntries(Object.entries(this.overrides).filter(([other]) => !gone.includes(other)));
  }

  private change(overrides: Overrides): void {
    this.overrides = overrides;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), WAIT);
  }

  private async start(): Promise<void> {
    const looked = this.look();
    try {
      const options = await this.tools.options();
      // No option is drawn before its value is there: it could be changed, and to nothing sensible.
      await looked;
      registerOptions(options);
      this.options = options;
    } catch (error) {
      this.refused = toApiError(error);
    }
    await looked;
  }

  private async look(): Promise<void> {
    const sent = this.overrides;
    const answer = await this.latest.ask(() => this.tools.editRules(this.spec));
    if (answer === null) return;
    this.refused = answer.ok ? null : answer.error;
    if (!answer.ok) return;
    this.edited = answer.value;
    // Only what differs is kept, unless something was changed again meanwhile.
    if (this.overrides === sent) this.overrides = answer.value.overrides;
  }
}
