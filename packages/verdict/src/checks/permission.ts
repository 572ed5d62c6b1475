import { pick } from '@understudy/stage';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import type { Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';

export interface ExpectedPermission {
  tool: string;
  /** `false`: it must not have been asked for. */
  asked?: boolean | undefined;
  decision?: 'allow' | 'deny' | undefined;
}

/** Whether the CLI asked for a permission, and what it was told. */
export function checkPermission(seen: Observed, { tool, asked = true, decision }: ExpectedPermission): CheckResult {
  const requests = pick(seen.turn, 'permission');
  const matching = requests.filter((request) => namesTool(tool, request.tool));
  const passed = asked
    ? matching.some((request) => decision === undefined || request.decision === decision)
    : matching.length === 0;
  const describe = (request: (typeof requests)[number]) => `${request.tool}: ${request.decision}`;
  const result: CheckResult = {
    name: 'permission',
    category: 'permissions',
    subject: { kind: 'permission', tool },
    status: statusOf(passed),
    expected: asked
      ? `${tool} is asked for${decision === undefined ? '' : ` and answered ${decision}`}`
      : `${tool} is not asked for`,
    actual: requests.length === 0 ? 'no permission was asked for' : requests.map(describe).join(', '),
    evidence: requests.map((request) => `${describe(request)} ${JSON.stringify(request.input)}`),
    ...(passed || !asked
      ? {}
      : { suggestion: 'Look at rules, mode and hooks: one of them may have decided before the question.' }),
  };
  return ifReported(seen, 'permissions', unlessUnknown(result, 'tool', unknownTools(seen, [tool])));
}
