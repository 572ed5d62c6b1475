import { stages } from '@understudy/agents';
import * as z from 'zod';
import { additive, defineTool, readOnly, type Tool } from '../tool.js';
import { isolation } from './isolation.js';
import { status } from './success.js';

const problems = z.array(
  z.object({
    location: z.string().describe('file:line:column, or the field'),
    code: z.string(),
    message: z.string(),
    fix: z.string().optional(),
  }),
);

const inspectPlugin = defineTool({
  name: 'inspect_plugin',
  title: 'Look at a plugin',
  description:
    'Loads a plugin folder into the real Claude Code and reports which commands, agents, skills, hooks and servers came up, and why others did not, with a fix. Nothing is installed.',
  annotations: readOnly,
  input: z.strictObject({ path: z.string().describe('the folder of the plugin'), isolation }),
  output: z.object({
    plugin: z.string(),
    path: z.string(),
    ok: z.boolean(),
    problems: z.array(z.object({ reason: z.string(), fix: z.string().optional() })),
    components: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        status: z.enum(['loaded', 'failed']),
        file: z.string().optional(),
        event: z.string().optional(),
        matcher: z.string().optional(),
        reason: z.string().optional(),
        fix: z.string().optional(),
        warnings: z.array(z.string()),
      }),
    ),
    notes: z.array(z.string()),
    isolation: z.string().optional().describe('how far its hooks and servers were kept apart from this machine'),
  }),
  async run({ path, isolation: level }) {
    const { inspectFolder } = await import('../harness/inspect-folder.js');
    return inspectFolder(path, level);
  },
  text: ({ plugin, ok, problems: wrong, components }) =>
    [
      `${plugin} ${ok ? 'is sound' : 'has problems'}`,
      ...wrong.map(({ reason, fix }) => `${reason}${fix === undefined ? '' : ` (${fix})`}`),
      ...components.map(({ kind, name, file, status: state, reason, fix }) =>
        state === 'loaded'
          ? `${kind} ${name}${file === undefined ? '' : ` in ${file}`}`
          : `${kind} ${name} FAILED: ${reason}${fix === undefined ? '' : ` (${fix})`}`,
      ),
    ].join('\n'),
});

const EXAMPLE = `name = "explore, then plan"
plugins = [".."]
[[responses]]
pattern = { type = "command", name = "my:explore" }
response = { text = "Small. Next, run /plan.", tool_calls = [{ tool = "Glob", input = { pattern = "*.py" } }] }
[[steps]]
send = "/my:explore db"
[steps.expect]
command = { expands_to = "db" }
suggests = "/plan"
tools = { any = ["Glob"] }`;

const writeRehearsal = defineTool({
  name: 'write_rehearsal',
  title: 'Write a rehearsal',
  description: `Checks a rehearsal (a test of a plugin or program in one TOML file) and writes it if nothing is wrong. Paths in it are relative to the file. More of expect: says, told, hooks = [{ event = "PreToolUse", on = "Write", blocked = true }], files, commits, outcome, plugins, skills, subagents. Example:\n${EXAMPLE}`,
  annotations: { ...additive, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    path: z.string().describe('ends with .rehearsal.toml, below the folders that the server allows'),
    text: z.string().min(1),
  }),
  output: z.object({ path: z.string(), written: z.boolean(), problems }),
  async run({ path, text }, context) {
    const { writeRehearsalFile } = await import('../harness/write-rehearsal.js');
    return writeRehearsalFile((await context.harness()).projects, path, text);
  },
  text: ({ path, written, problems: wrong }) =>
    written ? `Written: ${path}. Next: run_rehearsal.` : ['Not written.', ...wrong.map(problemText)].join('\n'),
});

const runRehearsal = defineTool({
  name: 'run_rehearsal',
  title: 'Run a rehearsal',
  description:
    'Runs a rehearsal file on the real CLI with the scripted model, and reports each failed check with what was expected, what was seen, its line and a fix.',
  annotations: { ...additive, openWorldHint: true },
  input: z.strictObject({
    path: z.string(),
    agent: z.string().optional(),
    stage: z.enum(stages).optional(),
  }),
  output: z.object({
    passed: z.boolean(),
    verdict: z.string(),
    entries: z.array(
      z.object({
        name: z.string(),
        agent: z.string(),
        stage: z.string(),
        status: z.string(),
        failed: z.array(
          z.object({
            check: z.string(),
            expected: z.string(),
            seen: z.string(),
            location: z.string().optional(),
            fix: z.string().optional(),
          }),
        ),
      }),
    ),
    report: z.string(),
  }),
  async run({ path, agent, stage }, context) {
    const { playRehearsal } = await import('../harness/play-rehearsal.js');
    return playRehearsal(await context.harness(), path, { agent, stage, signal: context.signal });
  },
  text: ({ report }) => report,
});

const checkDocument = defineTool({
  name: 'check_document',
  title: 'Check a document',
  description: 'Validates a scenario, rehearsal, workflow or contract file: every problem with its line and a fix.',
  annotations: readOnly,
  input: z.strictObject({ path: z.string() }),
  output: z.object({ status, path: z.string(), kind: z.string(), ok: z.boolean(), problems, warnings: problems }),
  async run({ path }) {
    const { checkFile } = await import('../harness/check-file.js');
    return { status: 'success' as const, ...(await checkFile(path)) };
  },
  text: ({ kind, ok, problems: wrong, warnings }) =>
    [`${kind}: ${ok ? 'ok' : 'not ok'}`, ...[...wrong, ...warnings].map(problemText)].join('\n'),
});

function problemText({ location, message, fix }: z.infer<typeof problems>[number]): string {
  return `${location} ${message}${fix === undefined ? '' : ` (${fix})`}`;
}

/** Rehearsals as files: look at a plugin, write, check and run a test of it. */
export const rehearsalTools: readonly Tool[] = [inspectPlugin, writeRehearsal, runRehearsal, checkDocument];
