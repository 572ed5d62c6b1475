import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentCodes } from './agents.js';
import { cassetteCodes } from './cassettes.js';
import { documentCodes } from './documents.js';
import { driftCodes } from './drift.js';
import { type CodeMeaning, errorCodes } from './error-codes.js';
import { evalCodes } from './evals.js';
import { guardCodes } from './guards.js';
import { mcpCodes } from './mcp.js';
import { orchestratorCodes } from './orchestrators.js';
import { pluginCodes } from './plugins.js';
import { queueCodes } from './queue.js';
import { runCodes } from './runs.js';
import { workspaceCodes } from './workspace.js';

const SECTIONS: Record<string, Record<string, CodeMeaning>> = {
  Files: documentCodes,
  'Agents, conversations and processes': agentCodes,
  Cassettes: cassetteCodes,
  'Drift and bisect': driftCodes,
  'Plugins, commands and hooks': pluginCodes,
  'Plugin evals': evalCodes,
  Guards: guardCodes,
  'Test projects': workspaceCodes,
  'Runs, checks and Vitest': runCodes,
  'Many machines': queueCodes,
  'MCP server': mcpCodes,
  Orchestrators: orchestratorCodes,
};

const INTRODUCTION = `<!-- Written by \`npm run errors\` from packages/kit/src/error-codes/. -->
# Error codes

Every error has a code that does not change, a sentence, and a fix. A file with mistakes gives one error with a list of
problems, each with its own code and its location (\`file:line:column\`). The fix in the error itself is often more
precise than the one here.
`;

it('is the committed page (npm run errors writes it again)', async () => {
  await expect(page()).toMatchFileSnapshot('../../../../docs/errors.md');
});

it('has each code in one section', () => {
  const all = Object.values(SECTIONS).flatMap((codes) => Object.keys(codes));
  expect(all.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
});

it('has no code that the sources do not use', () => {
  const used = new Set(sources().flatMap((text) => text.match(/'[A-Z]+(?:_[A-Z]+)*'/g) ?? []));
  expect(Object.keys(errorCodes).filter((code) => !used.has(`'${code}'`))).toEqual([]);
});

it('says in each entry what it means and what to do, in whole sentences', () => {
  for (const [code, { meaning, fix }] of Object.entries(errorCodes)) {
    expect(meaning, code).toMatch(/\.$/);
    expect(fix, code).toMatch(/^[A-Z].*[.]$/);
  }
});

function page(): string {
  const sections = Object.entries(SECTIONS).map(([title, codes]) => {
    const rows = Object.entries(codes).map(
      ([code, { meaning, fix }]) => `| \`${code}\` | ${cell(meaning)} | ${cell(fix)} |`,
    );
    return `## ${title}\n\n| code | meaning | fix |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The texts of all packages without this folder and without tests. */
function sources(): string[] {
  const root = join(import.meta.dirname, '../../../..');
  return ['src', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('error-codes'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
}
