import { GEMINI } from './gemini-cli.js';
import { describeConformance } from './scripted-conformance.js';

await describeConformance(GEMINI);
