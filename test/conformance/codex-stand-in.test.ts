import { CODEX_CASES } from './codex-cases.js';
import { CODEX } from './codex-cli.js';
import { describeConformance } from './scripted-conformance.js';

await describeConformance(CODEX, CODEX_CASES);
