import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AgentName, agents, standInCommand, standInNames } from '@understudy/agents';
import { makeFolder, shellWord, UnderstudyError, writeWhole } from '@understudy/kit';
import { loadScenario } from '@understudy/script';
import { print, printJson } from './output.js';

const MARK = '# written by understudy shim';

/** A small program with the name of a CLI. */
export interface Shim {
  agent: AgentName;
  path: string;
  /** What the shell does, the last line included. */
  script: string;
}

export interface StandInShimOptions {
  /** The scenario that they play unless UNDERSTUDY_SCENARIO names one. */
  scenario?: string;
  json?: boolean;
}

/** Writes a small program for each stand-in. It never overwrites a program that is not ours. */
export function writeStandInShims(dir: string, { scenario, json = false }: StandInShimOptions = {}): void {
  const file = scenario === undefined ? undefined : resolve(scenario);
  if (file !== undefined) loadScenario(file);
  const variable =
    file === undefined
      ? ''
      : `: "\${UNDERSTUDY_SCENARIO:=${file.replace(/["$\\`}]/g, '\\$&')}}"\nexport UNDERSTUDY_SCENARIO\n`;
  const shims = standInNames.map((agent) => ({
    ...{ agent, path: shimPath(dir, agent) },
    script: `${variable}exec ${standInCommand(agent).map(shellWord).join(' ')} "$@"\n`,
  }));
  writeShims(dir, shims);
  if (json) printJson(describeShims(dir, shims));
  else printShims(dir, shims);
}

/** Where the shim of an agent stands: under the name of its program. */
export function shimPath(dir: string, agent: AgentName): string {
  return join(resolve(dir), agents[agent].program);
}

/** Writes shims, all or none. */
export function writeShims(dir: string, shims: readonly Shim[]): void {
  for (const { path } of shims) refuseToOverwrite(path);
  makeFolder(resolve(dir));
  for (const { path, script } of shims) {
    // Half a shim would look like a program of somebody else.
    writeWhole(path, `#!/bin/sh\n${MARK}\n${script}`, 0o755);
  }
}

/** Removes shims that are still ours, and the folder when nothing else is in it. */
export function removeShims(dir: string, shims: readonly Shim[]): void {
  for (const { path } of shims) if (isOurs(path)) rmSync(path, { force: true });
  const folder = resolve(dir);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

export function describeShims(dir: string, shims: readonly Shim[]) {
  return { folder: resolve(dir), shims: shims.map(({ agent, path }) => ({ agent, path })) };
}

export function printShims(dir: string, shims: readonly Shim[]): void {
  for (const { path } of shims) print(`wrote ${path}`);
  print(`put the folder first on PATH:  export PATH="${resolve(dir)}:$PATH"`);
}

function refuseToOverwrite(path: string): void {
  if (!existsSync(path) || isOurs(path)) return;
  throw new UnderstudyError('SHIM_IN_THE_WAY', `${path} exists and was not written by understudy`, {
    fix: 'Name another folder. A shim never overwrites a real program.',
  });
}

function isOurs(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'latin1').slice(0, 200).includes(MARK);
}
