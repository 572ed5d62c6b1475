import { type Border, flagsBySide, toolsBySide } from '../shared/border.js';
import { FLAGS } from './options.js';
import { REFUSED } from './refused.js';
import { IDLE_SETTINGS } from './settings.js';
import { TOOLS } from './tools.js';

/** What the stand-in of OpenCode does, and what it refuses: all commands and settings that are not named. */
export const border: Border = {
  cli: 'OpenCode',
  names: {
    flag: flagsBySide(FLAGS),
    subcommand: { played: ['run'] },
    tool: toolsBySide(
      TOOLS.map(({ name }) => name),
      ['todowrite'],
    ),
    setting: { ignored: IDLE_SETTINGS },
  },
  sentences: Object.values(REFUSED),
};
