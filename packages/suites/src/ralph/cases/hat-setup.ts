import type { Backend } from '../../orchestrators/case.js';
import type { ConfigDocument } from '../loop/config-schema.js';
import { EVIDENCE, event } from './script.js';

type Hats = NonNullable<ConfigDocument['hats']>;

export const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];
export const PLANNER = {
  name: 'Planner',
  description: 'Plans',
  triggers: ['plan.start'],
  publishes: ['build.task'],
  instructions: `Split the work: write only ${event('build.task', 'the lexer')} and end your turn. Use no tools.`,
};
export const BUILDER = {
  name: 'Builder',
  description: 'Builds',
  triggers: ['build.task'],
  publishes: ['build.done'],
  instructions: `Begin with the words I am the Builder. Then write only ${event('build.done', EVIDENCE)} and end your turn. Use no tools.`,
};
export const hat = (name: string, trigger: string, instructions: string) => ({
  name,
  description: `Takes ${trigger}`,
  triggers: [trigger],
  instructions: `${instructions} Then end your turn. Use no tools.`,
});
export const built = event('build.done', EVIDENCE);

/** An objective for hats: what a real model must know to play its part, and no more. */
export const objective = (task: string, last: string): string =>
  [
    task,
    'This is an exercise: there is nothing to write, use no tools.',
    'Under a hat, do only what its instructions say.',
    `Without a hat, when you are told of ${last}, end with the line LOOP_COMPLETE, and do nothing else.`,
  ].join(' ');

export const withHats = (hats: Hats, startingEvent: string, maxIterations = 4): ConfigDocument => ({
  event_loop: { max_iterations: maxIterations, starting_event: startingEvent },
  hats,
});
