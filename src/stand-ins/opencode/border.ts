import { flagsByFate, toolsByFate } from '../shared/border.js';
import { FLAGS as TABLE } from './options.js';
import { IDLE_SETTINGS } from './settings.js';
import { TOOLS as TABLE_OF_TOOLS } from './tools.js';

/** What the stand-in of OpenCode does with flags, commands, tools and settings: the tables that it uses. All other commands and settings are refused. */
export const FLAGS = flagsByFate(TABLE);
export const COMMANDS = { played: ['run'] };
export const TOOLS = toolsByFate(
  TABLE_OF_TOOLS.map(({ name }) => name),
  ['todowrite'],
);
export const SETTINGS = { ignored: IDLE_SETTINGS };
