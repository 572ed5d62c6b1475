import type { BackendName } from './config-schema.js';

/** The CLI that plays a hat. */
export interface Backend {
  name: BackendName;
  /** The program of a custom backend; for a known backend, it replaces the usual program. */
  command?: string | undefined;
  args: readonly string[];
  /** Kiro's agent. */
  agent?: string | undefined;
  promptMode?: 'arg' | 'stdin';
  promptFlag?: string | undefined;
}

/** How an agent is called and how its output is read. */
export interface Invocation {
  command: string[];
  /** What is written to its stdin; nothing when the prompt is an argument. */
  input?: string;
  output: 'stream-json' | 'kiro' | 'opencode' | 'text';
}

const CLAUDE = [
  '--dangerously-skip-permissions',
  '--verbose',
  '--output-format',
  'stream-json',
  '--setting-sources',
  'project,local',
  '--print',
  // The loop keeps the plan, so the agent's own task lists are switched off.
  '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet',
];

/** The command line of a backend, as Ralph writes it. */
export function invocationOf(backend: Backend, prompt: string, extraArgs: readonly string[] = []): Invocation {
  const more = [...backend.args, ...extraArgs];
  const program = (name: string) => backend.command ?? name;
  switch (backend.name) {
    case 'claude':
      return { command: [program('claude'), ...CLAUDE, ...more], input: prompt, output: 'stream-json' };
    case 'kiro': {
      const agent = backend.agent === undefined ? [] : ['--agent', backend.agent];
      const command = [program('kiro-cli'), 'chat', '--no-interactive', '--trust-all-tools', ...agent, ...more, prompt];
      return { command, output: 'kiro' };
    }
    case 'opencode':
      return { command: [program('opencode'), 'run', ...more, prompt], output: 'opencode' };
    case 'gemini':
      return { command: [program('gemini'), '--yolo', ...more, '-p', prompt], output: 'text' };
    case 'codex':
      return { command: [program('codex'), 'exec', '--yolo', ...more, prompt], output: 'text' };
    case 'custom': {
      const command = [program(''), ...more];
      if (backend.promptMode === 'stdin') return { command, input: prompt, output: 'text' };
      const flag = backend.promptFlag === undefined ? [] : [backend.promptFlag];
      return { command: [...command, ...flag, prompt], output: 'text' };
    }
  }
}
