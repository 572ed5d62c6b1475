import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { name, version, mcpName } = json('package.json') as Record<string, string>;

it('names one version everywhere', () => {
  const { version: ofServer, name: registered, packages } = json('server.json');
  expect([registered, ofServer, packages[0].identifier, packages[0].version]).toEqual([
    mcpName,
    version,
    name,
    version,
  ]);
  expect(json('plugin/.claude-plugin/plugin.json').version).toBe(version);
  expect(json('plugin/.mcp.json').mcpServers.understudy.args).toEqual(['-y', `${name}@${version}`, 'mcp']);
  expect(readFileSync('python/pyproject.toml', 'utf8')).toContain(`\nversion = "${version}"\n`);
  expect(readFileSync('python/src/pytest_understudy/find.py', 'utf8')).toContain(`"${name}@${version}"`);
});

it('has a plugin of its own that loads and keeps its promise', async (context) => {
  await realAgent('claude', context);
  const folder = mkdtempSync(join(tmpdir(), 'own-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // As npx does once the package is published: it runs the program of that name with the rest.
  const npx = `#!/bin/sh\n[ "$1 $2" = "-y ${name}@${version}" ] || exit 9\nshift 2\nexec "${process.execPath}" "${UNDERSTUDY}" "$@"\n`;
  writeFiles(folder, { 'bin/npx': npx });
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) };
  const plugin = resolve('plugin');
  const [looked, played] = await Promise.all([
    runUnderstudy(['plugin', plugin, '--strict'], { cwd: folder, env }),
    runUnderstudy(['run', join(plugin, 'rehearsals')], { cwd: folder, env }),
  ]);
  expect(looked.code, looked.stdout).toBe(0);
  expect(played.code, played.stdout).toBe(0);
});
