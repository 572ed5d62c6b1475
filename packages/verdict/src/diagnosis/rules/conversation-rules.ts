import { shortenLine } from '@understudy/kit';
import type { CheckResult } from '../../checks/result.js';
import { type DiagnosisRule, LIKELY, POSSIBLE } from './rule.js';

/** The evidence of checks, and their suggestions as fixes. */
function detailsOf(checks: readonly CheckResult[], fix: string, confidence: number = POSSIBLE) {
  const suggestions = checks.flatMap(({ suggestion }) => suggestion ?? []);
  return {
    evidence: [...new Set(checks.flatMap(({ evidence }) => evidence))],
    fixes: [...new Set([...suggestions, fix])].map((description) => ({ description, confidence })),
  };
}

/** A plugin, or a server that it brings, did not load. */
export const pluginLoadError: DiagnosisRule = {
  type: 'PluginLoadError',
  explain(failed) {
    const plugins = failed.about('plugin');
    const servers = failed.about('mcp_server');
    const [check] = [...plugins, ...servers];
    if (check === undefined) return undefined;
    const names = [
      ...plugins.flatMap(({ subject }) => subject.names.map((name) => `the plugin ${name}`)),
      ...servers.map(({ subject }) => `the MCP server ${subject.name}`),
    ];
    const reason = plugins[0]?.actual;
    return {
      hypothesis: `Not everything loaded: ${names.join(', ') || 'a plugin has load errors'}${reason === undefined ? '' : ` (${shortenLine(reason)})`}.`,
      ...detailsOf([...plugins, ...servers], 'Run `understudy plugin PATH` and fix what it reports', LIKELY),
      investigations: ['Run `understudy plugin PATH`: it shows what the plugin declares and what really loaded.'],
    };
  },
};

/** The model was asked something that the script does not answer. */
export const requestUnanswered: DiagnosisRule = {
  type: 'RequestUnanswered',
  explain(failed) {
    const checks = failed.about('request');
    if (checks.length === 0) return undefined;
    return {
      hypothesis: 'The model was asked something that no rule of the script answers.',
      ...detailsOf(checks, 'Add a rule that matches the prompt, or set `default_response`', LIKELY),
      investigations: ['Compare the prompt in the evidence with the patterns of the rules.'],
    };
  },
};

/** The stand-in was asked for something that only the real CLI does. */
export const standInRefused: DiagnosisRule = {
  type: 'StandInRefused',
  explain(failed) {
    const checks = failed.about('unsupported');
    if (checks.length === 0) return undefined;
    return {
      hypothesis: 'The stand-in does not do what was asked of the agent; the real CLI does.',
      ...detailsOf(checks, 'Play it with `--stage scripted`', LIKELY),
      investigations: ['docs/stand-ins.md lists what each stand-in does.'],
    };
  },
};

/** A hook did not fire, or did something else than it should. */
export const hookMismatch: DiagnosisRule = {
  type: 'HookMismatch',
  explain(failed) {
    const checks = failed.about('hook');
    const [first] = checks;
    if (first === undefined) return undefined;
    const { event, on } = first.subject;
    const name = on === undefined ? event : `${event}:${on}`;
    return {
      hypothesis:
        first.present === true
          ? `The hook ${name} fired, and the test expects something else of it.`
          : `The hook ${name} did not fire.`,
      ...detailsOf(checks, 'Correct the event and the matcher in hooks.json'),
      investigations: ['Run `understudy plugin PATH`: it lists the hooks that the agent really loaded.'],
    };
  },
};

/** A rule of the script answered nothing: what it would have brought about is missing. */
export const ruleUnused: DiagnosisRule = {
  type: 'RuleUnused',
  explain(failed) {
    const checks = failed.about('rule');
    const paths = checks.flatMap(({ subject }) => subject.paths);
    if (checks.length === 0) return undefined;
    return {
      hypothesis: `The script did not run as written: ${paths.join(', ')} answered no prompt.`,
      ...detailsOf(checks, 'Correct the pattern of the rule, or remove the rule'),
      investigations: ['Compare the pattern of the rule with the prompts in the events.'],
    };
  },
};

/** The agent did not use a tool. */
export const toolNotUsed: DiagnosisRule = {
  type: 'ToolNotUsed',
  explain(failed) {
    const checks = failed.about('tool').filter(({ present }) => present === false);
    if (checks.length === 0) return undefined;
    const tools = new Set(checks.flatMap(({ subject }) => subject.tools));
    return {
      hypothesis: `The agent did not use all of the expected tools: ${[...tools].join(', ')}.`,
      ...detailsOf(checks, 'Let the script call the tool, or correct the name of the tool in the test'),
      investigations: ['Read which tools the agent used instead, and whether a permission or a hook stopped one.'],
    };
  },
};

/** The workflow did not reach the stage that the test expects. */
export const workflowStuck: DiagnosisRule = {
  type: 'WorkflowStuck',
  explain(failed) {
    const checks = failed.about('workflow');
    const [first] = checks;
    if (first === undefined) return undefined;
    return {
      hypothesis: `The workflow did not move to ${first.subject.to}: ${first.actual}.`,
      ...detailsOf(checks, 'Let the step do what moves the workflow on, as its definition says'),
      investigations: ['Read in the workflow definition what moves it to this stage, and look for that in the events.'],
    };
  },
};

/** A file that was not changed, or a commit that was not made. */
export const changeMissing: DiagnosisRule = {
  type: 'ChangeMissing',
  explain(failed) {
    const files = failed.about('file').filter(({ present }) => present === false);
    const commits = failed.about('commit').filter(({ present }) => present === false);
    // The files of a program have rules of their own.
    if (failed.result.context !== undefined || files.length + commits.length === 0) return undefined;
    const missing = [
      ...files.map(({ subject }) => `${subject.path} was not changed`),
      ...(commits.length === 0 ? [] : ['no commit was made']),
    ];
    return {
      hypothesis: `The work is not in the project: ${missing.join(', ')}.`,
      ...detailsOf(
        [...files, ...commits],
        'Let the agent really run the tool: remove `tool_execution.mode = "mock"` and the `result` of the call',
      ),
      investigations: ['Read which tools ran in the turn, and what came of them.'],
    };
  },
};
