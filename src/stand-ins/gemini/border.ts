import { flagsByFate, toolsByFate } from '../shared/border.js';
import { REFUSED_COMMANDS, FLAGS as TABLE } from './options.js';
import { REFUSED_SETTINGS } from './settings.js';
import { TOOLS as TABLE_OF_TOOLS } from './tools.js';

/** What the stand-in of Gemini CLI does with flags, commands, tools and settings: the tables that it uses. */
export const FLAGS = flagsByFate(TABLE);
export const COMMANDS = { played: [] as string[], refused: [...REFUSED_COMMANDS] };
export const TOOLS = toolsByFate(Object.keys(TABLE_OF_TOOLS), ['list_directory']);
export const SETTINGS = { played: [] as string[], refused: [...REFUSED_SETTINGS] };
