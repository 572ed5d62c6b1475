import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../pinned.js';
import { type Machine, thisMachine } from './machine.js';
import { nodeIn } from './node-runtime.js';

function claudeFiles({ platform, arch, musl }: Machine): string[] {
  const builds = musl ? [`${arch}-musl`, arch] : [arch, `${arch}-musl`];
  const program = platform === 'win32' ? 'claude.exe' : 'claude';
  return [
    ...builds.map((build) => `@anthropic-ai/claude-code-${platform}-${build}/${program}`),
    // Releases before the native builds were one script.
    '@anthropic-ai/claude-code/cli.js',
  ];
}

function opencodeFiles({ platform, arch, musl, avx2 }: Machine): string[] {
  const base = `opencode-${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const flavours = avx2 ? ['', '-baseline'] : ['-baseline', ''];
  const libraries = musl ? ['-musl', ''] : ['', '-musl'];
  const program = platform === 'win32' ? 'opencode.exe' : 'opencode';
  return libraries.flatMap((library) => flavours.map((flavour) => `${base}${flavour}${library}/bin/${program}`));
}

function codexFiles({ platform, arch }: Machine): string[] {
  const cpu = arch === 'arm64' ? 'aarch64' : 'x86_64';
  const systems: Partial<Record<NodeJS.Platform, string>> = {
    linux: 'unknown-linux-musl',
    darwin: 'apple-darwin',
    win32: 'pc-windows-msvc',
  };
  const program = platform === 'win32' ? 'codex.exe' : 'codex';
  return [`@openai/codex-${platform}-${arch}/vendor/${cpu}-${systems[platform] ?? platform}/bin/${program}`];
}

/** The files that may be the program, the best first, relative to node_modules. */
export function executableCandidates(agent: AgentName, machine: Machine): string[] {
  switch (agent) {
    case 'claude':
      return claudeFiles(machine);
    case 'opencode':
      return opencodeFiles(machine);
    case 'codex':
      return codexFiles(machine);
    case 'gemini':
      return ['@google/gemini-cli/bundle/gemini.js'];
    case 'kiro':
      return [];
  }
}

/**
 * How to start the CLI that is installed in a folder, or nothing when its program is not there.
 * Native programs are started directly: the wrappers of their packages need install scripts. Scripts run with the Node
 * that was fetched with them, else with ours.
 */
export function executableIn(folder: string, agent: AgentName, machine: Machine = thisMachine()): string[] | undefined {
  for (const candidate of executableCandidates(agent, machine)) {
    const file = join(folder, 'node_modules', candidate);
    if (existsSync(file)) return file.endsWith('.js') ? [nodeIn(folder, machine) ?? process.execPath, file] : [file];
  }
  return undefined;
}
