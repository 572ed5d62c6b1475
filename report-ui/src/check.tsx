import { formatLocation } from '../../packages/kit/src/errors.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import { Diff } from './diff.js';
import { Block, Line } from './text.js';

/** A check: where it was asked for, expected against seen, evidence, what to do. */
export function Check({ check }: { check: CheckResult }) {
  const { expected, actual, evidence, suggestion, defined_at: at, status } = check;
  const byLine = expected.includes('\n') && actual.includes('\n');
  return (
    <div class="check">
      {at === undefined ? null : (
        <p class="dim">
          <Line text={formatLocation(at)} />
        </p>
      )}
      {at?.frame === undefined ? null : <Block text={at.frame} label="where the check is written" />}
      {byLine ? (
        <Diff before={expected} after={actual} label="expected against seen" check />
      ) : (
        <dl>
          <dt>expected</dt>
          <dd class="wanted">
            <Line text={expected} />
          </dd>
          <dt>seen</dt>
          <dd class={status === 'passed' ? '' : 'unwanted'}>
            <Line text={actual} />
          </dd>
        </dl>
      )}
      {evidence.map((piece) => (
        <Block text={piece} label="evidence" />
      ))}
      {suggestion === undefined ? null : (
        <p>
          <strong>Fix:</strong> <Line text={suggestion} />
        </p>
      )}
    </div>
  );
}
