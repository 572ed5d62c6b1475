import { GEMINI_CASES } from './gemini-cases.js';
import { GEMINI } from './gemini-cli.js';
import { describeConformance } from './scripted-conformance.js';

await describeConformance(GEMINI, GEMINI_CASES);
