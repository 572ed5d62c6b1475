import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { RehearsedStage } from './fault.js';
import { runRehearsals } from './play.js';

/** What is known to be wrong with a plugin of the folder: a part of what the check says, by the plugin's path. */
const knownSchema = z.record(z.string(), z.string());
const KNOWN_FILE = 'known-problems.json';

export interface PublicPlugin {
  /** Its path below the folder. */
  name: string;
  folder: string;
  /** A part of what must be said of it; a plugin without is sound. */
  known: string | undefined;
}

/** The plugins below a folder of other people's, which is never part of this repository. */
export function publicPlugins(folder: string): PublicPlugin[] {
  const file = join(folder, KNOWN_FILE);
  const known = existsSync(file) ? knownSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => basename(path) === 'plugin.json' && basename(dirname(path)) === '.claude-plugin',
  );
  return manifests.map((path) => {
    const plugin = join(folder, dirname(dirname(path)));
    const name = relative(folder, plugin);
    return { name, folder: plugin, known: known[name] };
  });
}

/** What a rehearsal with each of them says of it: nothing where the plugin is sound. */
export async function judgePlugins(
  plugins: readonly PublicPlugin[],
  stage: RehearsedStage,
  scratch: string,
): Promise<Map<string, string>> {
  mkdirSync(scratch, { recursive: true });
  const files = plugins.map(({ folder }, index) => {
    const file = join(scratch, `${index}.rehearsal.toml`);
    const plugin = JSON.stringify(folder);
    const servers = '[start]\ntimeout_ms = 60000\n';
    writeFileSync(
      file,
      `name = "public ${index}"\nplugins = [${plugin}]\ndefault_response = "Hello."\n${servers}[[steps]]\nsend = "Hi"\n`,
    );
    return file;
  });
  const { entries } = await runRehearsals(files, stage, scratch);
  return new Map(
    plugins.map(({ name }, index) => {
      const entry = entries.find(({ file }) => file === files[index]);
      const checks = [...(entry?.steps.flatMap((step) => step.checks) ?? []), ...(entry?.checks ?? [])];
      const said = checks.filter(({ status }) => status !== 'passed').map((check) => `${check.name}: ${check.actual}`);
      return [name, [entry?.error?.message, ...said].filter((part) => part !== undefined).join('\n')];
    }),
  );
}
