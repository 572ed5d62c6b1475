import { hookEventFacts, isHookEventName, problemOf } from '@understudy/agents';
import { tellingLine } from '@understudy/kit';
import type { DeclaredHook, DeclaredPlugin, Issue } from './declared/component.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { ComponentReport } from './report.js';

/** Compares the hooks with the CLI's own list of hooks. */
export function compareHooks(plugin: DeclaredPlugin, state: LoadedState): ComponentReport[] {
  const declared = plugin.components.filter((component) => component.kind === 'hook');
  if (state.hooks === undefined) return declared.map((hook) => unlistedHook(hook, state.version));
  const listed = state.hooks.filter(({ pluginName, source = '' }) =>
    plugin.isProject === true ? OF_PROJECT.includes(source) : pluginName?.split('@')[0] === plugin.name,
  );
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
    return reportHook(hook, at !== -1, seen, diedIn(plugin, hook, state));
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

/** How the CLI calls the settings of a project. */
const OF_PROJECT = ['projectSettings', 'localSettings'];

/** A hook that cannot be checked has not passed. */
function unlistedHook({ text, event, matcher, file, issue, defect }: DeclaredHook, version: string): ComponentReport {
  const unknown = {
    reason: `claude@${version} cannot list its hooks, so it is unknown whether this one is loaded`,
    fix: 'Use a newer Claude Code: understudy agents add claude.',
  };
  const why = issue ?? defect ?? unknown;
  return { kind: 'hook', name: text, event, matcher, file, status: 'failed', warnings: [], ...why };
}

/** Why a hook that ran during the look is dead: only 0, and 2 to block, are answers. */
function diedIn({ root }: DeclaredPlugin, hook: DeclaredHook, { ran }: LoadedState): Issue | undefined {
  const filled = (text: string): string => text.replace(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, root);
  const own = ran.filter(({ event, command }) => event === hook.event && filled(command) === filled(hook.text));
  // From 128 on it was ended by a signal: the CLI does that to hooks that still run when it ends.
  const died = own.find(({ exitCode = 0 }) => exitCode !== 0 && exitCode !== 2 && exitCode < 128);
  const when = 'it ran while the plugin was loaded';
  if (died !== undefined) return deadRun(when, died);
  // Nobody waits for what such a hook decides.
  if (hook.background === true) return undefined;
  if (AWAITED.includes(hook.event) && own.some(wasCutOff)) return CUT_OFF;
  const [problem] = own.flatMap(
    ({ exitCode = 0, ...run }) => problemOf({ ...run, exitCode, outcome: 'success' }) ?? [],
  );
  return problem === undefined ? undefined : unusableRun(when, problem);
}

/** Before the turn is over, the CLI ends only a hook that takes too long. */
const AWAITED = ['SessionStart', 'UserPromptSubmit'];

function wasCutOff({ exitCode = 128, stdout }: LoadedState['ran'][number]): boolean {
  // One that says so goes on in the background.
  return exitCode >= 128 && !/"async"\s*:\s*true/.test(stdout);
}

const CUT_OFF: Issue = {
  reason: 'it ran while the plugin was loaded, and the CLI ended it before it had answered: it took too long',
  fix: 'Make it answer sooner, also without the network, or give it a longer `timeout`.',
};

/** A run of a hook that ended with an exit code that is no answer. */
export function deadRun(when: string, { exitCode, stderr }: { exitCode?: number; stderr: string }): Issue {
  const said = tellingLine(stderr);
  return {
    reason: `${when}, and ended with exit code ${exitCode}${said === undefined ? '' : `: ${said}`}`,
    fix: READ_ONLY.test(stderr)
      ? READ_ONLY_FIX
      : 'Make it end with 0 (or with 2 to block) in an empty project, too. understudy hook runs it by hand.',
  };
}

/** What a program says that wants to write where it can only read, and what to do about it. */
export const READ_ONLY = /read-only file system|\bEROFS\b/i;
export const READ_ONLY_FIX =
  'Keep what it writes in ${CLAUDE_PLUGIN_DATA}: in the sandbox, as in a rehearsal, a plugin can only be read.';

/** A run of a hook that said something that the CLI cannot use. */
export function unusableRun(when: string, problem: string): Issue {
  return {
    reason: `${when}, and the CLI cannot use what it said: ${problem}`,
    fix: 'Mend the JSON that it prints: until then it decides nothing. understudy hook runs it by hand.',
  };
}

function reportHook(
  hook: DeclaredHook,
  isListed: boolean,
  seen: Set<string>,
  died: Issue | undefined,
): ComponentReport {
  const { event, matcher, file, text } = hook;
  const base = {
    kind: 'hook' as const,
    name: text,
    event,
    matcher,
    file,
    warnings: hook.warning === undefined ? [] : [hook.warning],
  };
  if (!isListed) {
    const issue = hook.issue ?? {
      reason: 'the CLI does not list it among its hooks',
      fix: 'Run claude plugin validate; it may name the reason.',
    };
    return { ...base, status: 'failed', ...issue };
  }
  const defect = hook.defect ?? died;
  if (defect !== undefined) return { ...base, status: 'failed', ...defect };
  const same = [event, matcher, text, hook.condition].join('\0');
  if (seen.has(same)) base.warnings.push('it is declared twice; the CLI runs the same command once');
  seen.add(same);
  if (matcher !== '' && isHookEventName(event) && hookEventFacts(event).matches === undefined) {
    base.warnings.push(`${event} has no subject, so the matcher is ignored and the hook always fires`);
  }
  return { ...base, status: 'loaded' };
}
