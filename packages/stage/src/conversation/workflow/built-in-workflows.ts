import { agentLoop } from './built-in/agent-loop.js';
import { epti } from './built-in/epti.js';
import { visualIteration } from './built-in/visual-iteration.js';

/** The workflows that come with us, as the TOML that one would write. */
export const builtInWorkflows: Readonly<Record<string, string>> = {
  'agent-loop': agentLoop,
  epti,
  'visual-iteration': visualIteration,
};
