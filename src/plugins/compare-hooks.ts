import { hookEventFacts, isHookEventName } from '../claude-code/hooks/events.js';
import type { DeclaredHook, DeclaredPlugin } from './declared/component.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { ComponentReport } from './report.js';

/** Holds the hooks against the CLI's own listing of hooks. */
export function compareHooks(plugin: DeclaredPlugin, state: LoadedState): ComponentReport[] {
  const declared = plugin.components.filter((component) => component.kind === 'hook');
  if (state.hooks === undefined) return declared.map((hook) => untold(hook, state.version));
  const listed = state.hooks.filter(({ pluginName }) => pluginName?.split('@')[0] === plugin.name);
  const left = [...listed];
  const seen = new Set<string>();
  const reports = declared.map((hook) => {
    const at = left.findIndex(
      (one) =>
        one.event === hook.event &&
        one.matcher === hook.matcher &&
        one.type === hook.type &&
        one.commandText === hook.text,
    );
    if (at !== -1) left.splice(at, 1);
    return reportHook(hook, at !== -1, seen);
  });
  return [
    ...reports,
    ...left.map(
      ({ event, matcher, commandText }): ComponentReport => ({
        kind: 'hook',
        name: commandText,
        event,
        matcher,
        status: 'loaded',
        warnings: ['no file that we know of declares it'],
      }),
    ),
  ];
}

/** What cannot be looked at has not passed. */
function untold({ text, event, matcher, file, issue, defect }: DeclaredHook, version: string): ComponentReport {
  const unknown = {
    reason: `claude@${version} cannot list its hooks, so nobody knows whether it is loaded`,
    fix: 'Ask a newer one: understudy agents add claude.',
  };
  const why = issue ?? defect ?? unknown;
  return { kind: 'hook', name: text, event, matcher, file, status: 'failed', warnings: [], ...why };
}

function reportHook(hook: DeclaredHook, isListed: boolean, seen: Set<string>): ComponentReport {
  const { event, matcher, file, text } = hook;
  const base = { kind: 'hook' as const, name: text, event, matcher, file, warnings: [] as string[] };
  if (!isListed) {
    const issue = hook.issue ?? {
      reason: 'the CLI does not list it among its hooks',
      fix: 'claude plugin validate may say why.',
    };
    return { ...base, status: 'failed', ...issue };
  }
  if (hook.defect !== undefined) return { ...base, status: 'failed', ...hook.defect };
  const same = [event, matcher, text].join('\0');
  if (seen.has(same)) base.warnings.push('it is there twice; the CLI runs equal commands once');
  seen.add(same);
  if (matcher !== '' && isHookEventName(event) && hookEventFacts(event).matches === undefined) {
    base.warnings.push(`${event} has nothing to match on: the matcher is ignored, and the hook always fires`);
  }
  return { ...base, status: 'loaded' };
}
