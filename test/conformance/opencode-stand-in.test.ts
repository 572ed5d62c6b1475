import { OPENCODE } from './opencode-cli.js';
import { describeConformance } from './scripted-conformance.js';

await describeConformance(OPENCODE);
