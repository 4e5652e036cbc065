// The open games that a room offers; without a network, those that it offered last.

import type { Api } from '../../../api/http';
import type { PresetItem } from '../../../api/generated/types';
import { save, load } from '../../../shared/storage';

const KEY = 'triptych.solo.presets';
const OPEN = ['classic', 'turbo', 'pineapple'];

export class OpenGames {
  all = $state.raw((load(KEY) as readonly PresetItem[] | null) ?? []);

  constructor(api: Api) {
    api.presets().then(
      (all) => {
        this.all = all.filter((game) => OPEN.includes(game.game) && game.playable);
        save(KEY, this.all);
      },
      () => undefined,
    );
  }
}
