import { readFileSync } from 'node:fs';
import { defined, isObject, parseJson, UnderstudyError } from '@understudy/kit';
import { CassetteWriter } from '../writer.js';
import { readAimock } from './aimock.js';
import { readAtif } from './atif.js';
import { readClaudeCode } from './claude-code.js';
import { readCodex } from './codex.js';
import { type Imported, type ImportedStep, importFormats } from './formats.js';
import { readGeminiCli } from './gemini-cli.js';
import { readOpencode } from './opencode.js';
import { readRalph } from './ralph.js';

/** Writes a cassette of what another tool recorded. Gives the number of interactions. */
export function importFile(file: string, output: string): { format: string; interactions: number } {
  const imported = read(file);
  const { format, agent, version, recordedAt, cwd } = imported;
  const writer = new CassetteWriter({
    file: output,
    header: {
      importedFrom: format,
      agents: agent === undefined ? [] : [{ agent, ...defined({ version }) }],
      ...defined({ recordedAt }),
    },
    folders: { cwd },
  });
  try {
    write(imported, writer);
    if (writer.interactions === 0) throw nothingIn(file, format);
    writer.close();
    return { format, interactions: writer.interactions };
  } finally {
    writer.discard();
  }
}

function read(file: string): Imported {
  const text = readFileSync(file, 'utf8');
  const whole = parseJson(text);
  const lines = text.split('\n').flatMap((line) => {
    const parsed = parseJson(line);
    return isObject(parsed) ? [parsed] : [];
  });
  const imported =
    readAimock(whole) ??
    readAtif(whole) ??
    readOpencode(whole) ??
    readClaudeCode(lines) ??
    readCodex(lines) ??
    readGeminiCli(lines) ??
    readRalph(lines);
  if (imported === undefined) {
    throw new UnderstudyError('CASSETTE_IMPORT', `${file} is in none of the known formats`, {
      fix: `Give a file of one of these: ${importFormats.join(', ')}.`,
    });
  }
  return imported;
}

/** All become requests of Anthropic's API: the conversation so far, and the answer. */
function write({ turns, agent, version, model = 'unknown' }: Imported, writer: CassetteWriter): void {
  const histories = new Map<string, unknown[]>();
  const agentHeader: Record<string, string> =
    agent === 'claude' ? { 'user-agent': `claude-cli/${version ?? 'unknown'}` } : {};
  let number = 0;
  for (const { conversation, prompt, steps } of turns) {
    const messages = histories.get(conversation) ?? [];
    histories.set(conversation, messages);
    messages.push({ role: 'user', content: prompt });
    for (const step of steps) {
      number++;
      writer.interaction({
        ...{ number, conversation, kind: 'answer', protocol: 'anthropic-messages', at: 0 },
        client: agent === 'claude' ? 'claude' : 'library',
        request: {
          method: 'POST',
          path: '/v1/messages',
          headers: agentHeader,
          body: { model, messages: [...messages] },
        },
        answer: answerOf(step, model, number),
      });
      if (step.failure !== undefined) continue;
      messages.push({ role: 'assistant', content: blocksOf(step) });
      if (step.tools.length > 0) messages.push({ role: 'user', content: resultsOf(step) });
    }
  }
}

function answerOf(step: ImportedStep, model: string, number: number) {
  const base = { headers: { 'content-type': 'application/json' }, after: 0, form: 'json' as const };
  const { failure } = step;
  if (failure !== undefined) {
    const body = { type: 'error', error: { type: 'api_error', message: failure.message } };
    return { ...base, status: failure.status, body };
  }
  return {
    ...{ ...base, status: 200 },
    body: {
      ...{ id: `msg_imported_${number}`, type: 'message', role: 'assistant', model },
      content: blocksOf(step),
      stop_reason: step.tools.length > 0 ? 'tool_use' : 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}

function blocksOf({ text, tools }: ImportedStep): unknown[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...tools.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}

function resultsOf({ tools }: ImportedStep): unknown[] {
  return tools.map(({ id, result = '', failed }) => ({
    ...{ type: 'tool_result', tool_use_id: id, content: result },
    ...(failed === true ? { is_error: true } : {}),
  }));
}

function nothingIn(file: string, format: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_IMPORT', `${file} looks like a file of ${format}, but has no answer in it`, {
    fix: 'Check that it is whole.',
  });
}
