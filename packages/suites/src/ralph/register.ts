import { registerDiagnosis, registerSections, registerView } from '@understudy/verdict';
import { contextSchema, orchestratorSchema } from '../orchestrators/context-schema.js';
import { loopDiagnosis } from './diagnosis/loop-diagnosis.js';
import { loopView } from './report/loop-view.js';

/** Lets results explain and show entries of programs that call agents: Ralph, the reference loop, an orchestrator by contract. */
export function registerOrchestrators(): void {
  registerSections({ context: contextSchema, orchestrator: orchestratorSchema });
  registerDiagnosis(loopDiagnosis);
  registerView(loopView);
}
