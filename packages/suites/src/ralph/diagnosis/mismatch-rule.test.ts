import { expect, it } from 'vitest';
import {
  diagnosed,
  failed,
  file,
  iteration,
  OUTPUT,
  prompt,
  published,
} from '../../../../../test/helpers/diagnosed-program.js';

const WORN = failed('hats builder → ralph', { kind: 'hats', order: ['builder', 'ralph'] }, 'builder → ralph');

it('AssertionMismatch: an event that went to another hat than the contract says', () => {
  const on = (hat: string, belongsTo: string) =>
    iteration({ hat, events_given: [{ topic: 'build.task', hat: belongsTo }] });
  const found = diagnosed([WORN], { iterations: [on('watcher', 'builder')] });
  expect(found.evidence).toContain('prompt 1 has the event build.task, which belongs to builder');
  expect(found.root_cause_hypothesis).toContain('ran under the hat watcher');
  const second = { ...on('watcher', 'auditor'), iteration: 2 };
  expect(diagnosed([WORN], { iterations: [iteration(), second] }).evidence.at(-1)).toContain(
    'prompt 2 has the event build.task, which belongs to auditor',
  );
  const right = diagnosed([WORN], { iterations: [on('watcher', 'watcher')] });
  expect(right.root_cause_hypothesis).not.toContain('ran under the hat');
});

it('AssertionMismatch: a raw stream in place of words', () => {
  const raw = iteration({ output: '{"type":"system","subtype":"init"}\n{"type":"assistant"}' });
  expect(diagnosed([OUTPUT], { iterations: [raw] }).root_cause_hypothesis).toContain('raw events of the CLI');
  const json = iteration({ output: 'I wrote {"type":"system"} into the file.' });
  expect(diagnosed([OUTPUT], { iterations: [json] }).failure_type).toBe('PromptIneffective');
});

it('AssertionMismatch: a memory that was never written, before a prompt that cannot have it', () => {
  const memories = file('.agent/memories.md', '> Tabs.', true, '# Memories');
  const told = prompt(1, '> Tabs.');
  const seen = { iterations: [iteration({ stderr: 'ralph: not found' })] };
  const found = diagnosed([memories, told], seen);
  expect(found.root_cause_hypothesis).toContain('memory file does not have');
  expect(found.evidence).toContain('iteration 1 reported "ralph: not found"');
  expect(diagnosed([told], seen).failure_type).toBe('PromptIneffective');
});

it('AssertionMismatch: processes, files, other writers, words that must not be there', () => {
  const processes = failed('no process left', { kind: 'processes' }, 'none', 'sleep 600');
  expect(diagnosed([processes]).root_cause_hypothesis).toContain('left processes behind');
  const poem = file('poem.txt', 'roses', false, 'there is no such file');
  const withTools = (calls: number) =>
    diagnosed([poem], { iterations: [iteration({ tool_calls: calls })] }).root_cause_hypothesis;
  expect(withTools(0)).toContain('used no tool');
  expect(withTools(1)).not.toContain('used no tool');
  const writer = { kind: 'event', topic: 'build.done', by: 'builder', wanted: true } as const;
  const by = failed('event build.done by builder', writer, 'build.done by builder');
  expect(diagnosed([by], { events_emitted: [published('build.done', 'x', 'ralph')] }).evidence).toContain(
    'build.done was published by ralph, not by builder',
  );
  expect(diagnosed([prompt(2, 'secret plan', false)]).root_cause_hypothesis).toContain('must not be');
  const none = failed('no event lost', { kind: 'event', topic: 'lost', wanted: false }, 'no lost');
  expect(diagnosed([none]).root_cause_hypothesis).toContain('must not be');
  const odd = failed('odd', { kind: 'condition' }, 'a', 'b');
  expect(diagnosed([odd]).root_cause_hypothesis).toContain('What was observed differs');
  const named = (backend: string) => ({ config_yaml: `hats:\n  builder:\n    backend: ${backend}\n` });
  for (const backend of ['kiro', '{type: kiro, agent: b}'])
    expect(diagnosed([odd], named(backend)).evidence).toContain(
      'ralph.yml has the backend kiro for builder, and iteration 1 ran on claude',
    );
  expect(diagnosed([odd], named('claude')).root_cause_hypothesis).toContain('What was observed differs');
});
