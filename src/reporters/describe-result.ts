import pc from 'picocolors';
import type { CheckResult } from '../checks/result.js';
import { shellWord } from '../process/shell-word.js';
import type { RehearsalResult, RunResult, StepResult } from '../rehearsal/result.js';

/** `✓ name  claude scripted  1.2 s` */
export function describeRehearsal(result: RehearsalResult): string {
  const mark = {
    passed: pc.green('✓'),
    failed: pc.red('✗'),
    flaky: pc.yellow('±'),
    skipped: pc.yellow('–'),
    error: pc.red('!'),
  }[result.status];
  const round = result.round > 1 ? ` round ${result.round}` : '';
  const more = result.reason ?? `${result.agent} ${result.stage}${round} ${seconds(result.milliseconds)}`;
  return `${mark} ${result.name} ${pc.dim(more)}`;
}

/** Everything that helps to understand a failure: step, check, expected, seen, what was said, how to run it again. */
export function describeFailure(result: RehearsalResult): string {
  const lines: string[] = [];
  if (result.error !== undefined) {
    lines.push(`  ${pc.red(result.error.code)}: ${result.error.message}`);
    if (result.error.fix !== undefined) lines.push(`  ${pc.green('fix')}: ${result.error.fix}`);
  }
  for (const step of result.steps) lines.push(...describeStep(step));
  for (const check of result.checks.filter(({ passed }) => !passed)) lines.push('', ...describeCheck(check));
  lines.push('');
  if (result.artifacts !== undefined) lines.push(describeArtifacts(result.artifacts));
  lines.push(
    pc.dim(`  again: understudy run ${shellWord(result.file)} --agent ${result.agent} --stage ${result.stage}`),
  );
  return lines.join('\n');
}

/** Where to look when the verdict is not enough. */
export function describeArtifacts(folder: string): string {
  return pc.dim(`  events, requests and project: ${folder}`);
}

/** `12 passed, 1 failed, 2 skipped in 4.2 s` */
export function describeRun(run: RunResult): string {
  const counts: [number, string, (text: string) => string][] = [
    [run.passed, 'passed', pc.green],
    [run.failed, 'failed', pc.red],
    [run.errors, 'could not run', pc.red],
    [run.flaky, 'flaky', pc.yellow],
    [run.skipped, 'skipped', pc.yellow],
    [run.interrupted, 'interrupted', pc.red],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, what, colour]) => colour(`${count} ${what}`));
  return `${parts.join(', ') || pc.red('nothing ran')} ${pc.dim(`in ${seconds(run.milliseconds)}`)}`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function describeStep(step: StepResult): string[] {
  const failed = step.checks.filter(({ passed }) => !passed);
  if (step.reached && failed.length === 0) return [];
  const lines = [
    '',
    `  step ${step.number}${step.name === undefined ? '' : ` (${step.name})`}: ${pc.bold(`> ${oneLine(step.send)}`)}`,
  ];
  if (!step.reached) return [...lines, `    ${pc.red('not reached')}: the conversation had ended`];
  for (const check of failed) lines.push(...describeCheck(check));
  if (step.said !== '')
    lines.push(
      pc.dim('    the agent said:'),
      ...step.said
        .split('\n')
        .slice(0, 12)
        .map((line) => pc.dim(`      ${line}`)),
    );
  return lines;
}

/** A check that failed: what was expected, what was seen, the evidence, the way out. */
export function describeCheck({ check, expected, actual, evidence, suggestion }: CheckResult): string[] {
  return [
    `    ${pc.red('✗')} ${check}`,
    `      expected  ${expected}`,
    `      seen      ${actual}`,
    ...evidence
      .slice(0, 8)
      .flatMap((piece) => piece.split('\n').slice(0, 20))
      .map((line) => pc.dim(`      | ${line}`)),
    ...(suggestion === undefined ? [] : [`      ${pc.green('fix')}       ${suggestion}`]),
  ];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
