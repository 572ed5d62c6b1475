import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runProgram } from '../helpers/understudy.js';

/** A package in an empty folder, as its users have it, and the sources that it was packed from. */
export interface Installed {
  root: string;
  source: string;
  remove(): void;
}

/** The package of a commit, built and packed from nothing else. It is kept, because a commit does not change. */
export async function packageAt(commit: string): Promise<Installed> {
  const hash = (await run(['git', 'rev-parse', `${commit}^{commit}`], resolve('.'))).trim();
  const kept = join(homedir(), '.cache', 'understudy-tests', `package-${hash.slice(0, 12)}`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const fresh = mkdtempSync(`${kept}-`);
    try {
      const source = join(fresh, 'source');
      mkdirSync(source);
      await run(['git', 'archive', '--output', join(fresh, 'source.tar'), hash], resolve('.'));
      await run(['tar', '-xf', join(fresh, 'source.tar'), '-C', source], fresh);
      await run(['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'], source);
      await run(['npm', 'run', '--silent', 'build'], source);
      await install(source, fresh);
      rmSync(join(source, 'node_modules'), { recursive: true });
      renameSync(fresh, kept);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  linkTools(kept);
  return { root: join(kept, 'node_modules/agent-understudy'), source: join(kept, 'source'), remove: () => {} };
}

/** The package of the working tree, which is built already. */
export async function packageOfWorkingTree(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-contract-'));
  await install(resolve('.'), folder);
  linkTools(folder);
  return {
    root: join(folder, 'node_modules/agent-understudy'),
    source: resolve('.'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function install(source: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = await run([process.execPath, join(source, 'scripts/pack-package.mjs'), folder], source);
  const tarball = join(folder, packed.trim().split('\n').at(-1) ?? '');
  await run(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder);
}

/** What a project that tests has beside it. */
function linkTools(folder: string): void {
  for (const name of ['vitest', '@types/node', '@anthropic-ai/sdk', '@google/genai', 'openai']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { recursive: true, force: true });
    symlinkSync(resolve('node_modules', name), link);
  }
}

/** With the machine's own settings: npm has to reach the registry. */
async function run(command: readonly string[], cwd: string): Promise<string> {
  const settings = /^(npm_config_|NODE_EXTRA_CA_CERTS$|SSL_CERT|HTTPS?_PROXY|NO_PROXY)/i;
  const inherited = Object.entries(process.env).filter(([name, value]) => settings.test(name) && value);
  const done = await runProgram(command, { cwd, env: Object.fromEntries(inherited) as Record<string, string> });
  if (done.code !== 0) throw new Error(`${command.join(' ')} ended with ${done.code}: ${done.stderr.slice(-2000)}`);
  return done.stdout;
}
