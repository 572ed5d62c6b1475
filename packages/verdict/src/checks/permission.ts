import { field, required } from '@understudy/kit';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck, each, type Written } from './define-check.js';
import { namesTool, unknownTools, unlessUnknown } from './known-names.js';
import type { Observed } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';
import { contradiction, reviewEmpty } from './review-expected.js';

const schema = z.strictObject({
  tool: required('The tool that was asked about.', z.string()),
  asked: field('false: the CLI may not ask about it.', z.boolean()),
  decision: field('What the user answered.', z.enum(['allow', 'deny'])),
});

/** Whether the CLI asked for a permission, and the answer. */
export function checkPermission(seen: Observed, { tool, asked = true, decision }: Written<typeof schema>): CheckResult {
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

export const permissions = defineCheck({
  fields: { permissions: field('Questions for permission, and how they were answered.', z.array(schema)) },
  scopes: ['step', 'call'],
  judge: (seen, { permissions }, place) =>
    each(place, ['permissions'], permissions, (wanted) => [checkPermission(seen, wanted)]),
  review: ({ permissions }) => [
    ...reviewEmpty('permissions', permissions),
    ...(permissions ?? []).flatMap(({ asked, decision }, index) =>
      asked === false && decision !== undefined
        ? [contradiction('what is not asked for is not decided', 'permissions', index)]
        : [],
    ),
  ],
});
