import { basename, extname, isAbsolute, resolve } from 'node:path';
import type { LiveResult } from '../../shared/tools/plain-tools.js';
import { isBelow } from '../files/is-below.js';
import { realPath, type Workspace } from '../files/workspace.js';
import type { ApprovalMode } from '../options.js';
import { isDangerous } from './dangerous-command.js';
import { commandsIn, hasRedirection } from './shell-line.js';

export type Decision = 'allow' | 'deny' | 'ask';

const SHELL = 'run_shell_command';
const EDITING = new Set(['write_file', 'replace']);

const BUILD_FILES = new Set(
  (
    'BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc .blazerc Makefile makefile GNUmakefile ' +
    'CMakeLists.txt package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lockb setup.py setup.cfg pyproject.toml ' +
    'go.mod go.sum Cargo.toml Cargo.lock pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts ' +
    'Dockerfile Containerfile'
  ).split(' '),
);
const BUILD_FILE_KINDS = new Set(['.bzl', '.bazel', '.bzlmod', '.mk', '.cmake']);

const DENIED = 'Tool execution denied by policy.';
const BUILD_FILE = `${DENIED} Modifying build configuration files requires explicit user confirmation`;
const PLAN_ONLY = `${DENIED} You are in Plan Mode and cannot modify source code. You may ONLY use write_file or replace to save plans to the designated plans directory as .md files.`;
const UNCONFIRMED =
  'Tool execution for "Shell" requires user confirmation, which is not supported in non-interactive mode.';

export interface PolicyOptions {
  mode: ApprovalMode;
  /** Those of `--allowed-tools`. */
  allowed: readonly string[];
  workspace: Workspace;
  /** Where the plans of the session are. */
  plans: string;
}

/** Which tool calls Gemini CLI runs where nobody can be asked. */
export class ToolPolicy {
  readonly #options: PolicyOptions;
  readonly #tools = new Set<string>();
  /** What a command must begin with; empty if any may run. */
  readonly #commands: string[] = [];

  constructor(options: PolicyOptions) {
    this.#options = options;
    for (const allowed of options.allowed) {
      const [, given = allowed, prefix] = /^([\w-]+)\((.*)\)$/.exec(allowed) ?? [];
      const name = given === 'ShellTool' ? SHELL : given;
      if (name === SHELL && prefix !== undefined && prefix !== '') this.#commands.push(prefix);
      else if (name !== SHELL || prefix === undefined) this.#tools.add(name);
    }
  }

  /** Tools that an allowance adds to those of the approval mode; those of the mode itself it cannot. */
  get added(): string[] {
    const tools = [...this.#tools].filter((name) => !/^(?:enter|exit)_plan_mode$/.test(name));
    return this.#commands.length > 0 ? [...tools, SHELL] : tools;
  }

  /** The whole path of a file that is to be written: in a plan, plans have a folder of their own. */
  pathToWrite(given: string): string {
    const { mode, workspace, plans } = this.#options;
    const path = resolve(workspace.root, given);
    return mode !== 'plan' || isBelow(realPath(plans), realPath(path)) ? path : resolve(plans, given);
  }

  /** What becomes of a call that must not run. */
  refusalOf(name: string, input: Readonly<Record<string, unknown>>): LiveResult | undefined {
    if (name === SHELL) return this.#shellRefusal(input);
    const given = input['file_path'];
    return EDITING.has(name) && typeof given === 'string' ? this.#writeRefusal(name, given) : undefined;
  }

  #writeRefusal(name: string, given: string): LiveResult | undefined {
    const { mode, plans } = this.#options;
    const path = this.pathToWrite(given);
    if (mode === 'plan' && !isBelow(realPath(plans), realPath(path)))
      return refusal(
        'invalid_tool_params',
        `Access denied: plan path (${given}) must be within the designated plans directory (${plans}).`,
      );
    const isPlan = isAbsolute(given)
      ? resolve(plans, basename(given)) === given
      : /^(?:\.\/)?(?:plans\/)?[^/]+$/.test(given);
    if (mode === 'plan' && !this.#tools.has(name) && !(isPlan && /^[\w-]+\.md$/.test(basename(given))))
      return refusal('policy_violation', PLAN_ONLY);
    return isBuildFile(path) ? refusal('policy_violation', BUILD_FILE) : undefined;
  }

  #shellRefusal({ command, dir_path }: Readonly<Record<string, unknown>>): LiveResult | undefined {
    const { workspace } = this.#options;
    const folder = resolve(workspace.root, String(dir_path ?? '.'));
    const problem = workspace.problemOf(folder);
    if (problem !== undefined) return refusal('invalid_tool_params', problem);
    const decision = this.decisionOn(String(command ?? ''), !isBelow(workspace.root, folder));
    if (decision === 'allow') return undefined;
    return decision === 'deny' ? refusal('policy_violation', DENIED) : refusal('unhandled_exception', UNCONFIRMED);
  }

  /** Whether a command may run; `isOutside` of the first folder, somebody must confirm it. */
  decisionOn(line: string, isOutside = false): Decision {
    const { mode } = this.#options;
    // Without an allowance, commands run only where all are approved.
    if (mode === 'yolo' && this.#commands.length === 0) return 'allow';
    const isFree = this.#tools.has(SHELL);
    const isNamed = this.#commands.some((prefix) => beginsWith(line, prefix));
    if (!isFree && !isNamed) return 'deny';
    if (!isFree && commandsIn(line).some((command) => !this.#commands.some((prefix) => beginsWith(command, prefix))))
      return 'deny';
    if (mode === 'yolo') return 'allow';
    if (!isNamed && (isOutside || isDangerous(line))) return 'ask';
    return mode !== 'auto_edit' && hasRedirection(line) ? 'ask' : 'allow';
  }
}

function beginsWith(command: string, prefix: string): boolean {
  return command.startsWith(prefix) && ['', ' ', '"'].includes(command[prefix.length] ?? '');
}

function isBuildFile(path: string): boolean {
  const name = basename(realPath(path));
  return (
    BUILD_FILES.has(name) ||
    /^(?:Docker|Container)file\./.test(name) ||
    BUILD_FILE_KINDS.has(extname(name).toLowerCase())
  );
}

function refusal(errorType: string, text: string): LiveResult {
  return { text, isError: true, shown: text, errorType };
}
