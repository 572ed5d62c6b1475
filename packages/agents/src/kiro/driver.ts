import type { Environment, Exit } from '@understudy/kit';
import type { AgentDriver, ModelAccess } from '../driver.js';
import type { EventBody } from '../events.js';
import { type PerTurnCli, PerTurnSession } from '../per-turn-session.js';
import type { TurnReader, TurnVerdict } from '../turn-reader.js';
import { standInVariables } from './environment.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that color a terminal.
const COLORS = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Kiro writes a plain transcript: each line is text. Its exit code and an empty transcript are all there is to judge by. */
class KiroReader implements TurnReader {
  readonly sessionId = undefined;
  #spoke = false;

  read(line: string): EventBody[] {
    const text = line.replace(COLORS, '').trimEnd();
    if (text === '') return [];
    this.#spoke = true;
    return [{ type: 'text', text: text.replace(/^> /, '') }];
  }

  verdict(exit: Exit, stderr: string): TurnVerdict {
    const said = stderr.replace(COLORS, '').trim().slice(-1000);
    if (exit.code === 3)
      return { outcome: 'failed', reason: 'mcp_start', message: said || 'an MCP server did not start' };
    if (exit.code !== 0)
      return { outcome: 'failed', reason: 'agent_error', message: said || `Kiro ended with exit code ${exit.code}` };
    if (!this.#spoke) return { outcome: 'failed', reason: 'no_answer', message: `Kiro said nothing ${said}`.trim() };
    return { outcome: 'completed' };
  }
}

/** It cannot be pointed at a server of ours, so there is no loopback. */
function accessVariables(model: ModelAccess): Environment {
  if (model.kind === 'scenario') return { UNDERSTUDY_SCENARIO: model.file, ...standInVariables };
  return model.kind === 'live' ? model.environment : {};
}

const cli: PerTurnCli = {
  title: 'Kiro',
  access: ({ model }) => ({ env: accessVariables(model), args: [] }),
  // A transcript is all that it writes: nothing in it distinguishes a tool call from the model's text.
  reports: [],
  variables: { NO_COLOR: '1' },
  arguments: (text, _session, { modelName, args = [], resume }, turn) => [
    ...['chat', '--no-interactive', '--trust-all-tools'],
    // It names no session; the newest one of its folder, in a home of its own, is ours.
    ...(turn > 1 || resume !== undefined ? ['--resume'] : []),
    ...(modelName === undefined ? [] : ['--model', modelName]),
    ...args,
    text,
  ],
  reader: () => new KiroReader(),
};

/** Kiro: `kiro-cli chat`, one process per turn. */
export const kiroDriver: AgentDriver = {
  readCall: () => undefined,
  start: async (options) => new PerTurnSession(cli, options),
};
