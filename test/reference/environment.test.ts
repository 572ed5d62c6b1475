import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agents } from '../../packages/agents/index.js';
import { cell, code, page, table } from './page.js';

const INTRODUCTION = `What \`understudy\` reads in its environment. A flag says the same for one command, and comes first.`;

/** What a user sets. */
const USERS: Record<string, string> = {
  UNDERSTUDY_STORE: 'The folder of fetched CLIs. By default understudy/agents in the cache folder.',
  UNDERSTUDY_ISOLATION: 'As --isolation: how far agents are kept apart from this machine.',
  UNDERSTUDY_QUEUE: 'As --queue: the address of the database of a queue.',
  UNDERSTUDY_MCP_TOKEN: 'As --token of `understudy mcp`: what clients over HTTP must send.',
  UNDERSTUDY_NATIVE: 'The program of the compiled stand-ins; 0 uses none.',
  UNDERSTUDY_COMMAND: 'The command that pytest starts, where its settings name none.',
  UNDERSTUDY_SCENARIO: 'The scenario that a stand-in plays, where nobody names one. CLAUDELESS_SCENARIO is the same.',
  UNDERSTUDY_LOG: 'A file to which stand-ins write a JSON line for each prompt and each refusal.',
  UNDERSTUDY_STATE: 'A file with one turn state for all sessions of stand-ins.',
  UNDERSTUDY_FAILURE: 'A failure that replaces every answer of a stand-in. CLAUDELESS_FAILURE is the same.',
  UNDERSTUDY_MCP_PATIENCE_MS:
    'Milliseconds that the first prompt of a stand-in of Claude Code waits for its MCP servers. By default 2000.',
};

/** What we set for programs and agents, so that a rehearsal cannot. */
const OURS: Record<string, string> = {
  UNDERSTUDY_MODEL_KEY: 'In a program of a `run` step: the key of the model server, which names the step.',
  UNDERSTUDY_STEP: 'In a program of a `run` step: its number.',
  UNDERSTUDY_CALLS: 'In a program of a `run` step: the folder in which its calls of agents are recorded.',
  UNDERSTUDY_CALL: 'In a stand-in that a program has called: the number of the call.',
  UNDERSTUDY_RECORDS_FD: 'In a stand-in in a sandbox: the descriptor by which it tells what it does.',
  UNDERSTUDY_OWNER: 'In each process that we start: whose it is, so that nothing stays behind.',
  UNDERSTUDY_TELL_HOOKS: 'In a stand-in of a conversation: it tells what hooks ask.',
  UNDERSTUDY_SCENARIO_CHECKED: 'In a stand-in: the scenario was checked, and need not be checked again.',
  UNDERSTUDY_READ_TASK:
    'In an agent of the orchestrator suite: a prompt that only names a file is replaced with the text of that file.',
};

/** Names that are no variables: errors of pytest, and the names of single agents, which are made of their names. */
const NO_VARIABLE = /^UNDERSTUDY_(?:NOT_FOUND|ENDED|OTHER_PROTOCOL|NOT_STARTED|TEST_\w+|PORT|NAME|BUILD)$/;

const OTHERS: Record<string, string> = {
  NO_COLOR: 'No colors.',
  CI: '`true`: no snapshot and no cassette is written, no browser opened, and a run without isolation is reported.',
  GITHUB_ACTIONS: '`true`: annotations at the lines of files, and a summary of the job.',
  NODE_DISABLE_COMPILE_CACHE: '`1`: what Node made of our code is not kept.',
};

const sources = ['src', 'packages', 'python/src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|py)$/.test(name) && !/\.test\.ts$|node_modules|\/facts\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);

it('is the committed page of variables (npm run reference writes it again)', async () => {
  const rows = (variables: Record<string, string>) =>
    Object.entries(variables).map(([name, meaning]) => [code(name), cell(meaning)]);
  const ofAgents = Object.values(agents).map(({ name, credentials, login }) => [
    code(name),
    code(`UNDERSTUDY_${name.toUpperCase()}`),
    login.homes.map(code).join(', '),
    credentials.map(code).join(', '),
  ]);
  const sections = [
    `## Yours\n\n${table(['variable', 'meaning'], rows({ ...USERS, ...OTHERS }))}`,
    `## Of agents\n\nThe program, which comes before those of the store and of PATH; where the CLI keeps its things, which is a scratch folder but on \`live\`; and the keys, which are read on \`live\` alone.\n\n${table(
      ['agent', 'program', 'homes', 'credentials'],
      ofAgents,
    )}`,
    `## Ours\n\nSet for programs and agents. A rehearsal cannot set them.\n\n${table(['variable', 'meaning'], rows(OURS))}`,
  ];
  const text = page('Environment variables', 'the sources', INTRODUCTION, sections);
  await expect(text).toMatchFileSnapshot('../../docs/reference/environment.md');
});

it('tells each variable that the sources name, and no other', () => {
  const named = new Set(sources.flatMap((text) => text.match(/\bUNDERSTUDY_[A-Z_]*[A-Z]\b/g) ?? []));
  const programs = Object.keys(agents).map((name) => `UNDERSTUDY_${name.toUpperCase()}`);
  const told = [...Object.keys(USERS), ...Object.keys(OURS)];
  expect([...named].filter((name) => !NO_VARIABLE.test(name) && !programs.includes(name)).toSorted()).toEqual(
    told.toSorted(),
  );
});
