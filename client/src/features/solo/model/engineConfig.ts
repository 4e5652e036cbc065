// What a browser plays some rules by, asked for once and then kept: without a network, games that were played before can be
// played again.

import { ApiError, type ToolsApi, type RulesSpec } from '../../../api/http';
import type { AnalysisSetup } from '../../../api/generated/types';
import { save, load } from '../../../shared/storage';

const keyOf = (rules: RulesSpec): string => `triptych.form.${JSON.stringify(Object.entries(rules).toSorted())}`;

/** Without `bots` it is worked out more quickly, and none can be asked. Throws ApiError. */
export async function loadEngineConfig(tools: ToolsApi, rules: RulesSpec, bots = true): Promise<AnalysisSetup> {
  const key = keyOf(rules);
  try {
    const form = await tools.analysisForm(rules, bots);
    if (bots) save(key, form);
    return form;
  } catch (error) {
    const stored = error instanceof ApiError && error.error.code === 'offline' ? load(key) : null;
    if (stored === null) throw error;
    return stored as AnalysisSetup;
  }
}
