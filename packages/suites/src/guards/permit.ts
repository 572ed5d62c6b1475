import { join, resolve } from 'node:path';
import { matcherCovers, type PermissionMode, toolAliases } from '@understudy/agents';
import { defined, isObject, type JsonObject, parseJson, UnderstudyError } from '@understudy/kit';
import { playableRehearsals, type RehearsalInput, rehearsalPlayer, toRows } from '@understudy/runner';
import { type DeclaredHook, readEventLog, readHooksOf } from '@understudy/stage';
import type { Attempt, Guard } from './guard.js';
import { toAttempt } from './guard-file.js';
import { guardRehearsal } from './guard-rehearsal.js';
import { lookAt, namesHook } from './guard-verdict.js';
import { coveringRules } from './rules-say.js';
import {
  isPluginFolder,
  lineOfHook,
  PROJECT,
  projectSetting,
  refuseNoFolder,
  settingsIn,
  settingsPlaces,
  writtenRules,
} from './setting.js';

export interface PermitOptions {
  agent?: string | undefined;
  mode?: PermissionMode | undefined;
  /** A file with settings, as with --settings of Claude Code. */
  settings?: string | undefined;
  managed?: string | undefined;
  isolation?: string | undefined;
  /** An empty folder. */
  scratch: string;
  signal: AbortSignal;
}

/** What the real CLI says to one use of a tool. */
export interface Permit {
  question: string;
  answer: 'allowed' | 'asked' | 'denied';
  /** The rules or hooks that decided, as far as that is known. */
  by: Decider[];
  /** Why, in the CLI's words. */
  reason: string;
  /** What ran, and what changed. */
  evidence: string[];
}

interface Decider {
  kind: 'rule' | 'hook';
  text: string;
  file: string;
  line?: number;
}

/** Asks the real CLI whether a tool may be used like this, in a folder and with its settings. */
export async function askPermit(question: string, path: string, options: PermitOptions): Promise<Permit> {
  refuseNoFolder(path);
  const root = resolve(path);
  const { scratch, managed, mode, settings, isolation, agent = 'claude', signal } = options;
  const attempt = readQuestion(question);
  const guard: Guard = { kind: 'declared', name: question, file: '', expects: 'asked', attack: attempt };
  const isPlugin = isPluginFolder(root);
  const project = projectSetting(root, { scratch: join(scratch, 'copy'), managed });
  const given = settings === undefined ? undefined : settingsIn('--settings', settings);
  const setting = {
    ...(isPlugin ? { ...project, project: PROJECT, plugins: [root] } : project),
    ...defined({ settings: given }),
  };
  const document: RehearsalInput = { ...guardRehearsal(guard, setting), ...defined({ permission_mode: mode }) };
  const file = join(root, 'permit.rehearsal.json');
  const rows = toRows({ value: document, file }, file);
  const [entry] = playableRehearsals(rows, { agents: [agent], stage: 'scripted', isolation }).entries;
  if (entry === undefined) throw new UnderstudyError('NOTHING_TO_RUN', `${question} has no rehearsal`);
  const folder = join(scratch, 'play');
  await rehearsalPlayer(rows).play(entry, { folder, signal, onStep() {} });
  const seen = lookAt(guard, attempt, readEventLog(join(folder, 'artifacts', 'events.jsonl')), 1);
  if (seen.result === 'none') {
    throw new UnderstudyError('PERMIT_UNANSWERED', `Claude Code gave no answer to ${question}: ${seen.text}`);
  }
  const answer = seen.result === 'ran' ? 'allowed' : seen.result === 'asked' ? 'asked' : 'denied';
  const list = ({ allowed: 'allow', asked: 'ask', denied: 'deny' } as const)[answer];
  const places = [
    ...settingsPlaces(root, managed),
    ...(settings === undefined ? [] : [{ file: settings, at: resolve(settings) }]),
  ];
  const { hooks } = readHooksOf(root);
  const decider = seen.hooks.find(({ blocked, stdout }) => blocked || /"permissionDecision"\s*:/.test(stdout));
  const byHook = seen.result === 'blocked' || seen.why === 'hook';
  return {
    question,
    answer,
    by: byHook
      ? hooksFor(hooks, decider?.event ?? 'PreToolUse', attempt.tool ?? '', seen.text).map((hook) => ({
          kind: 'hook',
          text: `${hook.event}: ${hook.text}`,
          file: hook.file,
          ...defined({ line: lineOfHook(root, hook) }),
        }))
      : coveringRules(writtenRules(places), list, attempt).map(({ file, line, text }) => ({
          kind: 'rule',
          text: `${list} ${text}`,
          file,
          ...defined({ line }),
        })),
    reason: reasonOf(answer, seen.text, seen.why),
    evidence: seen.evidence,
  };
}

function reasonOf(answer: Permit['answer'], text: string, why: string | undefined): string {
  if (answer === 'denied') return text;
  if (answer === 'allowed') return 'nobody was asked, and it ran';
  const words: Readonly<Record<string, string>> = {
    rule: 'a rule asks',
    hook: 'a hook asks',
    safetyCheck: 'a safety check asks',
    workingDir: 'it is outside of the working folder',
  };
  return why === undefined ? 'no rule allows it' : (words[why] ?? `no rule allows it (${why})`);
}

/** `Bash(cat .env)`, `Read(.env)`, `WebFetch(https://example.com)`, `mcp__db__drop({"table":"users"})`. */
function readQuestion(question: string): Attempt {
  const [, tool, content] = /^([A-Za-z]\w*)(?:\(([\s\S]*)\))?$/.exec(question.trim()) ?? [];
  if (tool === undefined) {
    throw new UnderstudyError('BAD_FLAG', `${JSON.stringify(question)} is no use of a tool`, {
      fix: `Write it like a permission rule: 'Bash(cat .env)', 'Read(.env)'.`,
    });
  }
  if (content === undefined || content === '') return { tool, input: {} };
  const parsed: unknown = content.trim().startsWith('{') ? parseJson(content) : undefined;
  return toAttempt(tool, isObject(parsed) ? (parsed as JsonObject) : content);
}

/** The hooks that may have decided: those that the CLI names, else all that run for the tool. */
function hooksFor(hooks: readonly DeclaredHook[], event: string, tool: string, said: string): DeclaredHook[] {
  const running = hooks.filter(
    (hook) => hook.event === event && toolAliases(tool).some((name) => matcherCovers(hook.matcher, name)),
  );
  const named = running.filter(({ text }) => namesHook(said, text) === true);
  return named.length > 0 ? named : running;
}
