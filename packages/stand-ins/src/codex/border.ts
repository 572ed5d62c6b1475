import { type Border, flagsBySide, toolsBySide } from '../shared/border.js';
import { offeredTools } from './models.js';
import { FLAGS, PLAYED_COMMANDS, REFUSED_COMMANDS } from './options.js';
import { REFUSED } from './refused.js';
import { PLAYED_SETTINGS } from './settings.js';

/** What the stand-in of Codex does, and what it refuses. */
export const border: Border = {
  cli: 'Codex',
  names: {
    flag: flagsBySide(FLAGS),
    subcommand: { played: PLAYED_COMMANDS, refused: REFUSED_COMMANDS },
    tool: toolsBySide(
      [...new Set(['gpt-5.5', 'any'].flatMap((model) => offeredTools(model)).map(({ name }) => name))],
      ['apply_patch'],
    ),
    setting: { played: Object.keys(PLAYED_SETTINGS) },
  },
  sentences: Object.values(REFUSED),
};
