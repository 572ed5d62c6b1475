import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentEnvironment } from '../../packages/agents/src/model/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { startModelServer } from '../../src/public/model-server.js';
import { type RunResult, runProgram } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';
import { makeRepository } from './make-repository.js';
import { type ScriptedCase, type ScriptedCli, type ScriptedObservation, scenarioOf } from './scripted-case.js';

const MOST_TRIES = 5;
const HOME = 'HOME/';

/**
 * Runs a case in a scratch home: the real CLI on the scripted model, or its stand-in on the same scenario: as a program,
 * or within this process.
 */
export async function observeScripted(
  real: readonly string[] | undefined,
  cli: ScriptedCli,
  test: ScriptedCase,
  standIn?: readonly string[],
): Promise<ScriptedObservation> {
  const minute = () => Math.floor(Date.now() / 60_000);
  for (let tries = 1; ; tries++) {
    const begun = minute();
    const observed = await observeOnce(real, cli, test, standIn);
    if (!cli.namesByMinute || test.before === undefined || minute() === begun || tries === MOST_TRIES) return observed;
  }
}

async function observeOnce(
  real: readonly string[] | undefined,
  cli: ScriptedCli,
  test: ScriptedCase,
  standIn?: readonly string[],
): Promise<ScriptedObservation> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')));
  const [home, cwd, temp] = ['home', 'work', 'tmp'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, cwd, temp]) mkdirSync(folder);
  const scenario = scenarioOf(test);
  const server = await startModelServer({ scenario: defineScenario(scenario) });
  try {
    const files = Object.entries(test.files ?? {});
    writeFiles(cwd, Object.fromEntries(files.filter(([name]) => !name.startsWith(HOME))));
    if (test.git) makeRepository(cwd, test.git);
    const access = agentEnvironment(cli.agent, server);
    const given = real === undefined ? {} : access.files;
    const more = files
      .filter(([name]) => name.startsWith(HOME))
      .map(([path, text]) => [path.slice(HOME.length), text])
      .map(([name = '', text]) => [name, `${given[name] ?? ''}${text}`]);
    writeFiles(home, { ...given, ...Object.fromEntries(more) });
    const file = join(root, 'scenario.json');
    writeFileSync(file, JSON.stringify(scenario));
    const { GEMINI_MODEL } = access.env;
    const model =
      real !== undefined ? access.env : { UNDERSTUDY_SCENARIO: file, ...(GEMINI_MODEL && { GEMINI_MODEL }) };
    const runs: ScriptedObservation['runs'] = [];
    let session = '';
    for (const { args, stdin, env, folder } of [...(test.before ?? []), test]) {
      const words = [
        ...access.args,
        ...args.map((word) => word.replace('{session}', session).replaceAll('/ROOT', root)),
      ];
      const place = {
        cwd: join(cwd, folder ?? '.'),
        env: { HOME: home, TMPDIR: temp, LANG: 'C.UTF-8', ...model, ...resolved(env ?? {}, root) },
        input: stdin ?? '',
      };
      const program = real ?? standIn;
      const run = await (program === undefined
        ? runStandIn(cli, words, place)
        : runProgram([...program, ...words], place));
      session ||= cli.sessionId(run.stdout) ?? '';
      const plain = (text: string) =>
        text
          .replaceAll(root, '/ROOT')
          .replaceAll(root.slice(1), 'ROOT')
          .replace(/127\.0\.0\.1(:\d+)?/g, '<server>');
      if (test.onlyCode) runs.push({ code: run.code, stdout: '', stderr: [] });
      else runs.push({ code: run.code, stdout: cli.stdout(plain(run.stdout)), stderr: cli.stderr(plain(run.stderr)) });
    }
    const written = Object.fromEntries((test.written ?? []).map((name) => [name, contentOf(join(cwd, name))]));
    const record = test.onlyCode ? [] : cli.session(home);
    return { runs, session: JSON.parse(JSON.stringify(record).replaceAll(root, '/ROOT')) as unknown[], files: written };
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function runStandIn(
  cli: ScriptedCli,
  argv: readonly string[],
  { cwd, env, input }: { cwd: string; env: Record<string, string>; input: string },
): Promise<Pick<RunResult, 'code' | 'stdout' | 'stderr'>> {
  let stdout = '';
  let stderr = '';
  const out = (text: string): void => {
    stdout += text;
  };
  const error = (text: string): void => {
    stderr += text;
  };
  const code = await cli.standIn({
    ...{ argv, cwd, streams: { out, error } },
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdin: { isTerminal: false, read: () => input },
  });
  return { code, stdout, stderr };
}

function resolved(env: Record<string, string>, root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('/ROOT', root)]));
}

function contentOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
