import { fileURLToPath } from 'node:url';
import type { Stage } from '@understudy/agents';
import { isRehearsalFile } from '@understudy/kit';
import { configDefaults, type ViteUserConfig } from 'vitest/config';
import type { VitestPluginContext } from 'vitest/node';
import { agentsOf, assertOptions, pluginOptions } from '../public/read-options.js';
import { rehearsalTests } from './rehearsals/rehearsal-tests.js';
import { rerunOnChange } from './rerun-on-change.js';

/** As on the command line of `understudy run`. */
export interface RehearsalsOptions {
  /** Where they are played, instead of what the files say. */
  stage?: Stage;
  /** The agent, or several, instead of what the files say: `codex@0.169.0`. */
  agent?: string | readonly string[];
  /** How far agents are kept apart from this machine: `none`, `sandbox`, `docker`, `auto`, `required`. */
  isolation?: string;
}

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>;

const PATTERN = '**/*.rehearsal.{toml,yaml,yml,json,mjs,ts,mts}';

/** JSON has a plugin of Vite of its own, which leaves alone what is asked for as it stands. */
const AS_TEST = '?raw&rehearsal';

/** Beside this file when it is built. */
const player = fileURLToPath(new URL('./play-rehearsal.js', import.meta.url));
const PLAYER = /\/vitest\/play-rehearsal\.js$/;

/**
 * A plugin for Vitest: rehearsal files are test files, and each of their entries is a test. Files that `test.include`
 * names itself are taken; if it names none, all `*.rehearsal.*` are.
 */
export function rehearsals(options: RehearsalsOptions = {}): Plugin {
  assertOptions(pluginOptions, options, 'rehearsals');
  const { agent, stage, isolation } = options;
  return {
    name: 'understudy:rehearsals',
    enforce: 'pre',
    config({ test = {} }) {
      const { include = [] } = test as { include?: string[] };
      const usual = include.length === 0 ? configDefaults.include : [];
      const more = include.some((pattern) => pattern.includes('.rehearsal.')) ? [] : [...usual, PATTERN];
      // Node imports it: it is no code of the user, and there is much of it.
      return { test: { include: more, server: { deps: { external: [PLAYER] } } } } as ViteUserConfig;
    },
    configureVitest({ project }: VitestPluginContext) {
      rerunOnChange(project);
    },
    resolveId(id: string) {
      return /\.rehearsal\.json$/.test(id) ? id + AS_TEST : undefined;
    },
    load(id: string) {
      const file = id.replace(AS_TEST, '');
      if (!isRehearsalFile(file)) return undefined;
      const { code, map, reads } = rehearsalTests(file, {
        player,
        ...{ stage, isolation, agents: agentsOf(agent) },
      });
      for (const path of reads) this.addWatchFile(path);
      return { code, map };
    },
  } as Plugin;
}
