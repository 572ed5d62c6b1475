import type { Backend } from '../../case.js';
import type { ConfigDocument } from '../../loop/config-schema.js';
import { EVIDENCE, event } from './script.js';

type Hats = NonNullable<ConfigDocument['hats']>;

export const ALL: readonly Backend[] = ['claude', 'kiro', 'opencode'];
export const PLANNER = {
  name: 'Planner',
  description: 'Plans',
  triggers: ['plan.start'],
  publishes: ['build.task'],
  instructions: 'Split the work.',
};
export const BUILDER = {
  name: 'Builder',
  description: 'Builds',
  triggers: ['build.task'],
  publishes: ['build.done'],
  instructions: 'Begin with the words I am the Builder.',
};
export const hat = (name: string, trigger: string) => ({
  name,
  description: `Takes ${trigger}`,
  triggers: [trigger],
  instructions: `Do what a ${name} does.`,
});
export const built = event('build.done', EVIDENCE);

export const withHats = (hats: Hats, startingEvent: string, maxIterations = 4): ConfigDocument => ({
  event_loop: { max_iterations: maxIterations, starting_event: startingEvent },
  hats,
});
