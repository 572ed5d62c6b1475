import { agentCodes } from './agents.js';
import { cassetteCodes } from './cassettes.js';
import { documentCodes } from './documents.js';
import { driftCodes } from './drift.js';
import { evalCodes } from './evals.js';
import { guardCodes } from './guards.js';
import { mcpCodes } from './mcp.js';
import { orchestratorCodes } from './orchestrators.js';
import { pluginCodes } from './plugins.js';
import { queueCodes } from './queue.js';
import { runCodes } from './runs.js';
import { workspaceCodes } from './workspace.js';

/** What a code means in general, and what usually helps. An error may carry a more precise fix. */
export interface CodeMeaning {
  meaning: string;
  fix: string;
}

const codes = {
  ...documentCodes,
  ...agentCodes,
  ...cassetteCodes,
  ...driftCodes,
  ...pluginCodes,
  ...evalCodes,
  ...guardCodes,
  ...workspaceCodes,
  ...queueCodes,
  ...runCodes,
  ...mcpCodes,
  ...orchestratorCodes,
};

/** Every code that an error or a problem of a document can have. docs/errors.md is made from this list. */
export type ErrorCode = keyof typeof codes;

/** The list, for those who look a code up. */
export const errorCodes: Readonly<Record<ErrorCode, CodeMeaning>> = codes;
