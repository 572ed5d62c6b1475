import { expect, it } from 'vitest';
import { sampleContext, sampleResult } from '../../test/helpers/suite-report.js';
import { suggestCommands } from './quick-fixes.js';

const REFERENCE = ['node', 'x.js', 'loop'];
const RALPH = ["/it's here/ralph"];
const file = (path: string) => ({ path, content_preview: '', size_bytes: 1 });

it('runs a failed case again as it was run', () => {
  const results = [sampleResult('hat-single@claude', 'failed'), sampleResult('b@claude', 'passed')];
  expect(suggestCommands(results, 'sim', REFERENCE, '/w')).toEqual([
    {
      description: 'Run hat-single@claude alone, and keep its workspace',
      command: 'understudy e2e claude --filter hat-single@claude --verbose --keep-workspace',
    },
  ]);
  expect(suggestCommands(results, 'scripted', RALPH, '/w')[0]?.command).toBe(
    `understudy e2e claude --filter hat-single@claude --stage scripted --ralph '/it'\\''s here/ralph' --verbose --keep-workspace`,
  );
});

it('looks at the loop’s records where there are some', () => {
  const context = sampleContext({ workspace_files: [file('.ralph/current-events')] });
  const commands = suggestCommands([sampleResult('a@kiro', 'failed', { context })], 'sim', REFERENCE, '/my work');
  expect(commands.slice(1)).toEqual([
    {
      description: 'The events that were published in a@kiro',
      command: `cd '/my work/a@kiro' && cat "$(cat .ralph/current-events)"`,
    },
  ]);
});
