import { dirname, resolve } from 'node:path';
import { isStringList } from '@understudy/kit';
import { defineAgent, type ServedDefinition } from '../define-agent.js';
import type { Machine } from '../machine.js';
import { flagValue } from '../turn-reader.js';
import type { OwnAgent } from './definition.js';
import { ownClient } from './own-client.js';
import { nonsense, OwnCode } from './own-code.js';
import { asText, ownDriver } from './own-driver.js';

/** A user's agent as one of ours; `place` is the module that defines it. */
export function toDefinition(agent: OwnAgent, place: string): ServedDefinition {
  const { name, program = name, npm, command, version, promptOf, tools, credentials = [], homes = [] } = agent;
  const own = new OwnCode(place);
  const client = ownClient(agent, own);
  return defineAgent({
    ...{ name, program, client, credentials },
    ...(npm === undefined
      ? {}
      : {
          npm: {
            package: npm.package,
            pinned: npm.version,
            integrity: npm.integrity ?? {},
            executables: (machine) => executablesOf(npm.program, machine, own),
          },
        }),
    ...(command === undefined
      ? {}
      : { command: command.map((word) => (/^\.{1,2}\//.test(word) ? resolve(dirname(place), word) : word)) }),
    ...(version === undefined ? {} : { version }),
    stages: ['scripted', 'replay', ...(credentials.length === 0 ? [] : (['live'] as const))],
    promptOf: (words, stdin) =>
      promptOf === undefined ? usualPrompt(words, stdin) : own.call('promptOf', () => promptOf(words, stdin), asText),
    called: { asking: ['*'] },
    ...(tools === undefined ? {} : { tools: { tools: tools.tools ?? {}, arguments: tools.arguments ?? {} } }),
    login: { homes: ['HOME', ...homes], questions: [], quiet: {} },
    driver: async () => ownDriver(agent, client, own),
  });
}

function executablesOf(program: NonNullable<OwnAgent['npm']>['program'], machine: Machine, own: OwnCode): string[] {
  if (typeof program === 'string') return [program];
  return own.call(
    'npm.program',
    () => program(machine),
    (given) => {
      if (isStringList(given)) return given;
      throw nonsense(given, 'a list of paths');
    },
  );
}

/** Where most have it. */
function usualPrompt(words: readonly string[], stdin: string): string {
  const said = flagValue(words, '-p', '--prompt') ?? words.findLast((word) => !word.startsWith('-'));
  return said ?? stdin;
}
