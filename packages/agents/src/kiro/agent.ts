import { defineAgent } from '../define-agent.js';
import { asking } from './asking.js';
import { promptOf } from './command-line.js';
import { standInVariables } from './environment.js';

/** Its stand-in, or the real one: it cannot be pointed at a model of ours. */
export const kiro = defineAgent({
  name: 'kiro',
  program: 'kiro-cli',
  stages: ['sim', 'live'],
  promptOf,
  called: { asking, readsStdinForPrompt: true },
  standInVariables,
  credentials: ['KIRO_API_KEY'],
  login: {
    homes: ['HOME', 'XDG_DATA_HOME'],
    // Its documentation does not say whether this command knows of keys, so only a yes is clear.
    questions: [{ args: ['whoami'], read: ({ code }) => (code === 0 ? { with: 'signed in' } : 'unclear') }],
    quiet: {},
    advice: 'run `kiro-cli login`, or set KIRO_API_KEY',
  },
  driver: async () => (await import('./driver.js')).kiroDriver,
});
