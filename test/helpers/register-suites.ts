import { registerOrchestrators } from '../../packages/suites/src/ralph/register.js';

registerOrchestrators();
