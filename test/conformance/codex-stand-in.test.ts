import { CODEX } from './codex-cli.js';
import { describeConformance } from './scripted-conformance.js';

await describeConformance(CODEX);
