import { hookEventFacts, isHookEventName } from '../claude-code/hooks/events.js';
import type { DeclaredHook, DeclaredPlugin } from './declared/component.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { ComponentReport } from './report.js';

/** Compares the hooks with the CLI's own list of hooks. */
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
        warnings: ['the CLI has it, but no file of the plugin that we know declares it'],
      }),
    ),
  ];
}

/** A hook that cannot be checked has not passed. */
function untold({ text, event, matcher, file, issue, defect }: DeclaredHook, version: string): ComponentReport {
  const unknown = {
    reason: `claude@${version} cannot list its hooks, so it is unknown whether this one is loaded`,
    fix: 'Use a newer Claude Code: understudy agents add claude.',
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
      fix: 'Run claude plugin validate; it may name the reason.',
    };
    return { ...base, status: 'failed', ...issue };
  }
  if (hook.defect !== undefined) return { ...base, status: 'failed', ...hook.defect };
  const same = [event, matcher, text].join('\0');
  if (seen.has(same)) base.warnings.push('it is declared twice; the CLI runs the same command once');
  seen.add(same);
  if (matcher !== '' && isHookEventName(event) && hookEventFacts(event).matches === undefined) {
    base.warnings.push(`${event} has no subject, so the matcher is ignored and the hook always fires`);
  }
  return { ...base, status: 'loaded' };
}
