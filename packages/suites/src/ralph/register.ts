import { registerDiagnosis } from '@understudy/verdict';
import { loopDiagnosis } from './diagnosis/loop-diagnosis.js';

/** Lets results explain entries of programs that call agents: Ralph, the reference loop, an orchestrator by contract. */
export function registerOrchestrators(): void {
  registerDiagnosis(loopDiagnosis);
}
