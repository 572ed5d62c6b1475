import { type Border, flagsBySide, toolsBySide } from '../shared/border.js';
import { FLAGS, REFUSED_COMMANDS } from './options.js';
import { REFUSED } from './refused.js';
import { REFUSED_SETTINGS } from './settings.js';
import { TOOLS } from './tools.js';

/** What the stand-in of Gemini CLI does, and what it refuses. */
export const border: Border = {
  cli: 'Gemini CLI',
  names: {
    flag: flagsBySide(FLAGS),
    subcommand: { refused: REFUSED_COMMANDS },
    tool: toolsBySide(Object.keys(TOOLS), ['list_directory']),
    setting: { refused: REFUSED_SETTINGS },
  },
  sentences: Object.values(REFUSED),
};
