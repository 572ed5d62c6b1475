import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeFiles } from './rehearsal-files.js';
import { runProgram } from './understudy.js';

export interface InlineTest {
  /** `file > describe > title`, without the file. */
  title: string;
  file: string;
  status: 'passed' | 'failed' | 'skipped';
  milliseconds: number;
  /** The messages of its errors, without colours; and all of them as one text. */
  messages: string[];
  message: string;
}

export interface InlineRun {
  code: number | null;
  tests: InlineTest[];
  output: string;
}

interface JsonReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[]; duration?: number | null }[];
  }[];
}

/**
 * Runs test files with the real Vitest in a folder of their own. They import the built `agent-understudy/vitest`,
 * as a user does.
 */
export async function runInlineTests(
  folder: string,
  files: Record<string, string>,
  { config = '', args = [], env = {} }: { config?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<InlineRun> {
  writeInlineFiles(folder, { 'vitest.config.mjs': vitestConfig(config), ...files });
  const report = join(folder, 'report.json');
  const { code, stdout, stderr } = await runProgram(
    [
      process.execPath,
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile=${report}`,
    ].concat(args),
    { cwd: folder, env },
  );
  return { code, tests: readReport(report, folder), output: stdout + stderr };
}

/** Writes files into a folder from which our packages can be imported. */
export function writeInlineFiles(folder: string, files: Record<string, string>): void {
  writeFiles(folder, files);
  linkPackages(folder);
}

/** The packages that are installed here, and ours among them. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules');
  if (existsSync(packages)) return;
  mkdirSync(packages, { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(packages, name));
  }
  symlinkSync(resolve('.'), join(packages, 'agent-understudy'));
}

function vitestConfig(more: string): string {
  return `export default {
  server: { fs: { strict: false } },
  test: { testTimeout: 60_000, maxWorkers: 2, ${more} },
};
`;
}

function readReport(file: string, folder: string): InlineTest[] {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const path = name.replace(`${folder}/`, '');
    if (assertionResults.length === 0)
      return [{ title: '', file: path, status: 'failed', milliseconds: 0, messages: [message], message }];
    return assertionResults.map(({ fullName, status, failureMessages, duration }) => ({
      title: fullName,
      file: path,
      status: status as InlineTest['status'],
      milliseconds: duration ?? 0,
      messages: failureMessages.map(stripColours),
      message: stripColours(failureMessages.join('\n')),
    }));
  });
}

function stripColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what a colour begins with
  return text.replace(/\u001B\[[\d;]*m/g, '');
}
