import { expect, it } from 'vitest';
import { sampleContext, sampleEntry } from '../../../../test/helpers/sample-results.js';
import { suggestCommands } from './quick-fixes.js';

const file = (path: string) => ({ path, content_preview: '', size_bytes: 1 });

it('runs what is red again, as it was run', () => {
  const entries = [
    sampleEntry('hat-single@claude', 'failed'),
    sampleEntry('b@claude', 'passed'),
    sampleEntry('c@claude', 'error', { rerun: 'again' }),
  ];
  expect(suggestCommands(entries)).toEqual([
    { description: 'Run hat-single@claude alone', command: 'understudy e2e claude --grep hat-single@claude' },
    { description: 'Run c@claude alone', command: 'again' },
  ]);
});

it('looks at the loop’s records where there are some, and only in a folder that was kept', () => {
  const context = sampleContext({ workspace_files: [file('.ralph/current-events')] });
  const entry = sampleEntry('a@kiro', 'failed', { context, artifacts: '/my work/a@kiro' });
  expect(suggestCommands([entry]).slice(1)).toEqual([
    {
      description: 'The events that were published in a@kiro',
      command: `cd '/my work/a@kiro' && cat "$(cat .ralph/current-events)"`,
    },
  ]);
  const { artifacts: _, ...gone } = entry;
  expect(suggestCommands([gone])).toHaveLength(1);
});
