import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, posix, relative, resolve, sep } from 'node:path';
import { parseAgentSpec, type Stage } from '@understudy/agents';
import { CONFIG_FILE, defined, isInside, redactAll, UnderstudyError } from '@understudy/kit';
import { secretFinder, secretRemover } from '@understudy/model';
import { type EntryResult, readLogs, redChecks } from '@understudy/verdict';
import { playOptionsSchema, rehearsalEntries } from '../rehearsal/entries.js';
import { isBroken, loadRehearsals } from '../rehearsal/load-files.js';
import type { Entry } from '../run/entry.js';
import type { StoredRun } from '../run/run-folder.js';
import { type BundledFile, commonFolder, makeBundle } from './bundle.js';
import type { Repro, ReproPart } from './repro-file.js';
import { travelParts } from './travel-parts.js';

const MEGABYTE = 1024 * 1024;
/** It is read as one document, and somebody sends it with a mail. */
const LIMITS = { fileBytes: 4 * MEGABYTE, totalBytes: 16 * MEGABYTE };

export interface ExportOptions {
  /** Other files and folders that the test needs. */
  bundle?: readonly string[] | undefined;
  /** Files and folders that stay here. */
  without?: readonly string[] | undefined;
  environment?: NodeJS.ProcessEnv;
}

/** Makes one document of a test of a run and of everything that it is made of. Secrets stay here. */
export function makeRepro(result: EntryResult, { run, folder }: StoredRun, options: ExportOptions = {}): Repro {
  const { environment = process.env } = options;
  const { entry, parts, named } = partsOf(result);
  const given = [...parts, ...(options.bundle ?? [])].map((part) => resolve(part));
  const without = (options.without ?? []).map((part) => resolve(part));
  const root = commonFolder([process.cwd(), ...given]);
  // What the text of the rehearsal names is taken from the folders that it is made of, and from nowhere else.
  const isNear = (path: string) => isInside(root, path) && isInside(realpathSync(root), realpathSync(path));
  const bundle = makeBundle([...given, ...named.filter(isNear)], process.cwd(), {
    ...LIMITS,
    leaveOut(path) {
      if (without.includes(path)) return 'left out by --without';
      return given.includes(path) ? undefined : privateReason(path);
    },
  });
  const toPath = (path: string) => relative(root, path).split(sep).join('/');
  const {
    row,
    agents = [entry.agent],
    document,
  } = playOptionsSchema.parse(entry.options ?? { update: false, ci: false });
  const written = bundle.files.flatMap((file) => writtenPart(file, bundle.files, environment));
  const redact = (text: string) => shownElsewhere(secretRemover(environment)(text));
  const repro: Repro = {
    understudy_repro: 1,
    about:
      'A test that was red, with all that it is made of. To play it: npx agent-understudy run FILE. It runs what is in it.',
    test: result.name,
    understudy_version: run.understudy_version,
    os: run.environment.os,
    node: run.environment.node,
    exported_at: new Date().toISOString(),
    red: redOf(result),
    play: {
      rehearsal: toPath(resolve(entry.file ?? '')),
      ...defined({ row, document }),
      agents: agents.map((spec) => withVersion(spec, entry.stage as Stage, result, folder)),
      stage: entry.stage as Stage,
    },
    left_out: [
      ...bundle.leftOut,
      ...named.filter((path) => !isNear(path)).map((path) => ({ path: toPath(path), reason: OUTSIDE })),
    ],
    redacted: [],
    files: [],
  };
  const clean = redactAll(repro, redact);
  for (const { part, was } of written) {
    if (was === 'secret') clean.left_out.push({ path: part.path, reason: 'it has a secret in it, and is no text' });
    else clean.files.push(part);
    if (was === 'redacted') clean.redacted.push(part.path);
  }
  // The search for `[defaults]` ends here: those of whoever plays it are not part of it.
  if (!clean.files.some((part) => part.path === CONFIG_FILE)) clean.files.push({ path: CONFIG_FILE, lines: [''] });
  refuseSecret(clean, environment);
  return clean;
}

const OUTSIDE = 'it lies outside of the folders of the test; --bundle takes it';

/** The entry as it would be played now, and the files that it is made of. */
function partsOf(result: EntryResult): { entry: Entry; parts: readonly string[]; named: readonly string[] } {
  const { id, file, agent, stage, kind } = result;
  if (kind !== 'rehearsal' || file === undefined) {
    throw cannot(`${result.name} is a case of a suite`, 'Export a rehearsal: a case needs its orchestrator.');
  }
  const loaded = loadRehearsals([file]);
  const entries = rehearsalEntries(loaded, { agents: agent.split('+'), stage: stage as Stage });
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) {
    throw cannot(`${id} is no test of ${file} any more`, 'Run it again, then export it.');
  }
  const named = loaded.flatMap((one) => (isBroken(one) ? [] : travelParts(one)));
  return { entry, parts: entry.parts ?? [], named };
}

/** What is of this machine, and what nobody wants to send by accident. */
const STAYS: readonly [RegExp, string][] = [
  [/^\.git$/, 'the history of the project'],
  [/^\.understudy$|\.understudy-repro\.json$/, 'results of runs'],
  [
    /^\.env(?!\.(?:example|sample|template)$)(?:\..+)?$|^\.(?:npmrc|netrc|ssh|aws|gnupg)$/,
    'often private; --bundle takes it',
  ],
  [/^\.DS_Store$/, 'of the file system'],
];

function privateReason(path: string): string | undefined {
  return STAYS.find(([name]) => name.test(basename(path)))?.[1];
}

/** A file as it is written, and whether a secret was in it. */
function writtenPart(
  file: BundledFile,
  all: readonly BundledFile[],
  environment: NodeJS.ProcessEnv,
): { part: ReproPart; was?: 'redacted' | 'secret' }[] {
  const path = file.path.split(sep).join('/');
  if (file.kind === 'link') {
    return [{ part: { path, link: posix.normalize((file.target ?? '').split(sep).join('/')).replace(/\/$/, '') } }];
  }
  if (file.kind === 'folder') {
    const isEmpty = path !== '' && !all.some((other) => other.path.startsWith(`${file.path}${sep}`));
    return isEmpty ? [{ part: { path, folder: true } }] : [];
  }
  const bytes = readFileSync(file.source ?? '');
  const mode = file.executable === true ? { executable: true as const } : {};
  const text = asText(bytes);
  if (text === undefined) {
    const part = { path, base64: bytes.toString('base64'), ...mode };
    return [secretFinder(environment)([bytes.toString('latin1')]) === undefined ? { part } : { part, was: 'secret' }];
  }
  const clean = secretRemover(environment)(text);
  const part = { path, lines: clean.split('\n'), ...mode };
  return [clean === text ? { part } : { part, was: 'redacted' }];
}

function asText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function redOf(result: EntryResult): Repro['red'] {
  const { error } = result;
  const red = redChecks(result).map(({ step, check: { name, expected, actual } }) => ({
    ...defined({ step }),
    ...{ check: name, expected, seen: actual },
  }));
  return error === undefined
    ? red
    : [{ check: error.code, expected: 'the test can be played', seen: error.message }, ...red];
}

/** The version that was played, so that another one does not play it elsewhere. A stand-in has none. */
function withVersion(spec: string, stage: Stage, result: EntryResult, folder: string): string {
  const { agent, version } = parseAgentSpec(spec);
  if (stage === 'sim' || version !== undefined) return spec;
  const { events } = readLogs(result, folder);
  const session = events.find(
    (event) => event.type === 'session' && event.agent === agent && event.version !== undefined,
  );
  return session?.type === 'session' && session.version !== undefined ? `${agent}@${session.version}` : spec;
}

/** Folders of this machine say nothing elsewhere, and name whoever works here. */
function shownElsewhere(text: string): string {
  return text.replaceAll(`${process.cwd()}${sep}`, '').replaceAll(homedir(), '~');
}

function refuseSecret(repro: Repro, environment: NodeJS.ProcessEnv): void {
  const find = secretFinder(environment);
  const left = find([JSON.stringify(repro)]);
  if (left === undefined) return;
  const part = repro.files.find((one) => find([JSON.stringify(one)]) !== undefined);
  throw cannot(
    `${part?.path ?? 'the test'} still has a secret in it (${left}), so nothing is written`,
    'Leave the file out with `--without`.',
  );
}

function cannot(message: string, fix: string): UnderstudyError {
  return new UnderstudyError('EXPORT_REFUSED', message, { fix });
}
