import type { Case } from '../case.js';
import { AGENT_CASES } from './agents.js';
import { ASKING_HOOK_CASES } from './asking-hooks.js';
import { ASKING_TOOL_CASES } from './asking-tools.js';
import { BACKGROUND_CASES } from './background.js';
import { BACKGROUND_HOOK_CASES } from './background-hooks.js';
import { CASES } from './basics.js';
import { COMPACTION_CASES } from './compaction.js';
import { DEFERRED_CASES } from './deferred.js';
import { DOOR_CASES } from './doors.js';
import { ENVIRONMENT_CASES } from './environment.js';
import { FILE_CASES } from './files.js';
import { FORKED_CASES } from './forked.js';
import { FOUND_CASES } from './found.js';
import { HOOK_FIELD_CASES } from './hook-fields.js';
import { HOOK_WORD_CASES } from './hook-words.js';
import { HOOK_CASES } from './hooks.js';
import { HOST_HOOK_CASES } from './host-hooks.js';
import { HOST_INPUT_CASES } from './host-input.js';
import { HOST_QUESTION_CASES } from './host-questions.js';
import { HOST_SERVER_CASES } from './host-servers.js';
import { INSTALLED_PLUGIN_CASES } from './installed-plugins.js';
import { MID_TURN_CASES } from './mid-turn.js';
import { MODE_CASES } from './modes.js';
import { OWN_AGENT_CASES } from './own-agent.js';
import { PLUGIN_COMMAND_CASES } from './plugin-commands.js';
import { PLUGIN_CASES } from './plugins.js';
import { READING_CASES } from './reading.js';
import { COMMAND_CASES, LISTED_CASES, LOST_CASES, REFUSED_CASES } from './refused.js';
import { REQUEST_CASES } from './requests.js';
import { REWIND_CASES } from './rewind.js';
import { SEARCH_CASES } from './search.js';
import { SERVER_HOOK_CASES } from './server-hooks.js';
import { SERVER_RESULT_CASES } from './server-results.js';
import { SERVER_CASES } from './servers.js';
import { SETUP_CASES } from './setup.js';
import { SHELL_CASES } from './shell.js';
import { SHELL_LINE_CASES } from './shell-lines.js';
import { SHOWN_CASES } from './shown-files.js';
import { SIDE_BY_SIDE_CASES } from './side-by-side.js';
import { SILENCE_CASES } from './silence.js';
import { TASK_CASES } from './tasks.js';
import { TOLD_CASES } from './told.js';
import { TOOL_CASES } from './tools.js';
import { WORKTREE_CASES } from './worktrees.js';
import { WRITING_CASES } from './writing.js';
import { WRONG_OUTPUT_CASES } from './wrong-output.js';

const FAMILIES: readonly (readonly Case[])[] = [
  CASES,
  TOOL_CASES,
  PLUGIN_CASES,
  TOLD_CASES,
  FOUND_CASES,
  SHELL_LINE_CASES,
  COMPACTION_CASES,
  FILE_CASES,
  BACKGROUND_CASES,
  HOOK_CASES,
  HOOK_WORD_CASES,
  AGENT_CASES,
  TASK_CASES,
  BACKGROUND_HOOK_CASES,
  REFUSED_CASES,
  LISTED_CASES,
  LOST_CASES,
  COMMAND_CASES,
  FORKED_CASES,
  ASKING_HOOK_CASES,
  MODE_CASES,
  WRONG_OUTPUT_CASES,
  SERVER_HOOK_CASES,
  HOOK_FIELD_CASES,
  HOST_QUESTION_CASES,
  HOST_HOOK_CASES,
  HOST_INPUT_CASES,
  DEFERRED_CASES,
  HOST_SERVER_CASES,
  DOOR_CASES,
  MID_TURN_CASES,
  REWIND_CASES,
  OWN_AGENT_CASES,
  ASKING_TOOL_CASES,
  SERVER_RESULT_CASES,
  SETUP_CASES,
  REQUEST_CASES,
  SERVER_CASES,
  ENVIRONMENT_CASES,
  SIDE_BY_SIDE_CASES,
  SILENCE_CASES,
  READING_CASES,
  SEARCH_CASES,
  SHELL_CASES,
  SHOWN_CASES,
  WORKTREE_CASES,
  WRITING_CASES,
  INSTALLED_PLUGIN_CASES,
  PLUGIN_COMMAND_CASES,
];

/** The inputs of the conformance suite: the stand-in must do in each of them as the real CLI does. */
export const CONFORMANCE_CASES: readonly Case[] = FAMILIES.flat();

/** The first of each family, then the second of each: a part of them, from the beginning, is about everything. */
export const BREADTH_FIRST: readonly Case[] = CONFORMANCE_CASES.flatMap((_, round) =>
  FAMILIES.flatMap((family) => family[round] ?? []),
);
