import type { EntryResult, Measure, SuiteView } from '@understudy/verdict';
import { contextOf, type OrchestratorSection, type ProgramContext } from '../../orchestrators/context-schema.js';
import { contextSections } from './context-sections.js';
import { departureSection, lookedAt } from './departure.js';
import { iterationTurns } from './turns.js';

const NAMES = { ralph: 'ralph', reference: 'reference loop', contract: 'an orchestrator by its contract, version' };

/** How reports show loops that call agents. */
export const loopView: SuiteView = {
  names: ({ kind, version, command }: OrchestratorSection) => ({
    short: kind === 'contract' ? command : kind === 'ralph' ? `ralph ${version}` : 'the reference loop',
    long: NAMES[kind],
  }),
  sections: (entry) => sectionsOf(entry, contextSections),
  failureSections: departureSection,
  lookedAt,
  measures({ iterations_used: used, iterations_expected: expected, ...rest }): Measure[] {
    const more = used > expected ? 'more' : undefined;
    return [
      { name: 'Iterations', actual: String(used), expected: String(expected), more, column: true },
      { name: 'Retries', actual: String(rest.retries_needed) },
      { name: 'Events', actual: String(rest.events_emitted), column: true },
      { name: 'Tool calls', actual: String(rest.tool_calls), column: true },
      { name: 'Output tokens', actual: String(rest.tokens_estimated ?? 'not reported') },
    ];
  },
  turns: (entry) => sectionsOf(entry, iterationTurns),
};

function sectionsOf<T>(entry: EntryResult, write: (context: ProgramContext) => T[]): T[] {
  const context = contextOf(entry);
  return context === undefined ? [] : write(context);
}
