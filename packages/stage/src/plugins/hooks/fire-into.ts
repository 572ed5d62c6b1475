import { deadRun, unusableRun } from '../compare-hooks.js';
import { type LookIsolation, TRIED_FIX } from '../loaded/isolate.js';
import { type ComponentReport, type PluginReport, withComponents } from '../report.js';
import { fireEach } from './fire.js';

/** Fires the hooks of a plugin by hand, and adds to its report which of them died or said something that the CLI cannot use. */
export async function fireInto(report: PluginReport, options: LookIsolation = {}): Promise<PluginReport> {
  if (!report.components.some(({ kind }) => kind === 'hook')) return report;
  const results = await fireEach(report.path, options);
  const components = report.components.map((component): ComponentReport => {
    if (component.kind !== 'hook' || component.status === 'failed') return component;
    const { event, matcher, name } = component;
    const own = results.find(({ hook }) => hook.event === event && hook.matcher === matcher && hook.text === name);
    if (own === undefined) {
      return { ...component, warnings: [...component.warnings, 'it was not fired: only the CLI can run it'] };
    }
    const { exitCode, outcome, stderr, problem, tried } = own.fired;
    const when = 'it was fired by hand';
    if (tried !== undefined) {
      const reason = `${when}, and tried to reach what it must not: ${tried.join('; ')}`;
      return { ...component, status: 'failed', reason, fix: TRIED_FIX };
    }
    if (problem !== undefined) return { ...component, status: 'failed', ...unusableRun(when, problem) };
    if (outcome !== 'cancelled' && (exitCode === 0 || exitCode === 2)) return component;
    const cause = outcome === 'cancelled' ? { exitCode, stderr: 'it did not end in time' } : { exitCode, stderr };
    return { ...component, status: 'failed', ...deadRun(when, cause) };
  });
  return withComponents(report, components);
}
