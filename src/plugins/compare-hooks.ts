import { hookEventFacts, isHookEventName } from '../claude-code/hooks/events.js';
import type { DeclaredHook, DeclaredPlugin } from './declared/component.js';
import type { LoadTruth } from './loaded/look.js';
import type { ComponentReport } from './report.js';

/** Holds the hooks against the CLI's own listing of hooks. */
export function compareHooks(plugin: DeclaredPlugin, truth: LoadTruth): ComponentReport[] {
  const declared = plugin.components.filter((component) => component.kind === 'hook');
  if (truth.hooks === undefined) return declared.map((hook) => untold(hook, truth.version));
  const listed = truth.hooks.filter(({ pluginName }) => pluginName?.split('@')[0] === plugin.name);
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
function untold({ text, event, matcher, file, trouble, defect }: DeclaredHook, version: string): ComponentReport {
  const unknown = {
    reason: `claude@${version} cannot list its hooks, so nobody knows whether it is loaded`,
    fix: 'Ask a newer one: understudy agents add claude.',
  };
  const why = trouble ?? defect ?? unknown;
  return { kind: 'hook', name: text, event, matcher, file, status: 'failed', warnings: [], ...why };
}

function reportHook(hook: DeclaredHook, isListed: boolean, seen: Set<string>): ComponentReport {
  const { event, matcher, file, text } = hook;
  const base = { kind: 'hook' as const, name: text, event, matcher, file, warnings: [] as string[] };
  if (!isListed) {
    const trouble = hook.trouble ?? {
      reason: 'the CLI does not list it among its hooks',
      fix: 'claude plugin validate may say why.',
    };
    return { ...base, status: 'failed', ...trouble };
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
