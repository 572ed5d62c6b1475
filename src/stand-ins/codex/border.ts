import { flagsByFate, toolsByFate } from '../shared/border.js';
import { offeredTools } from './models.js';
import { PLAYED_COMMANDS, REFUSED_COMMANDS, FLAGS as TABLE } from './options.js';
import { PLAYED_SETTINGS } from './settings.js';

/** What the stand-in of Codex does with flags, commands, tools and settings: the tables that it uses. */
export const FLAGS = flagsByFate(TABLE);
export const COMMANDS = { played: PLAYED_COMMANDS, refused: REFUSED_COMMANDS };
export const TOOLS = toolsByFate(
  [...new Set(['gpt-5.5', 'any'].flatMap((model) => offeredTools(model)).map(({ name }) => name))],
  ['apply_patch'],
);
export const SETTINGS = { played: Object.keys(PLAYED_SETTINGS) };
