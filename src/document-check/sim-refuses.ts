import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgentSpec } from '@understudy/agents';
import { isObject, locateProblems, type Path, type Problem, type UnlocatedProblem } from '@understudy/kit';
import { fromRehearsal, isRunStep, type Rehearsal } from '@understudy/runner';
import { responsesOf } from '@understudy/script';
import { readPlugin } from '@understudy/stage';
import type { Border } from '@understudy/stand-ins';

/** What the file of a rehearsal shows that the stand-in of its agent refuses: it needs `--stage scripted`. */
export async function simRefuses(rehearsal: Rehearsal): Promise<Problem[]> {
  const { agent = 'claude', stage } = rehearsal.document;
  if (stage !== undefined && stage !== 'sim') return [];
  if (![agent].flat().some((spec) => parseAgentSpec(spec).agent === 'claude')) return [];
  const { border } = await import('@understudy/stand-ins');
  return locateProblems(rehearsal.source, [
    ...toolsOf(rehearsal, border),
    ...commandsOf(rehearsal, border),
    ...Object.entries(rehearsal.document.project?.files ?? {}).flatMap(([name, text]) =>
      name.startsWith('.claude/settings') ? settingsOf(text, ['project', 'files', name], border) : [],
    ),
    ...(rehearsal.document.plugins ?? []).flatMap((plugin, index) => {
      const file = join(fromRehearsal(rehearsal, plugin), 'hooks/hooks.json');
      return existsSync(file) ? settingsOf(readFileSync(file, 'utf8'), ['plugins', index], border) : [];
    }),
    ...(rehearsal.document.plugins ?? []).flatMap((plugin) => typedLines(rehearsal, plugin)),
  ]);
}

function refusal(what: string, path: Path): UnlocatedProblem {
  return {
    code: 'SIM_REFUSES',
    message: `the stand-in refuses ${what}`,
    fix: 'Run this rehearsal with `--stage scripted`, on the real CLI.',
    path,
  };
}

/** Commands that a step types, with a line of which only the real CLI knows whether it may run. */
function typedLines(rehearsal: Rehearsal, path: string): UnlocatedProblem[] {
  const plugin = readPlugin(fromRehearsal(rehearsal, path));
  const unsure = new Map(
    plugin.components.flatMap((text) => {
      if (!('names' in text) || text.undecided === undefined) return [];
      const { names, file } = text;
      return names.flatMap((name) => [`/${name}`, `/${plugin.name}:${name}`]).map((typed) => [typed, file] as const);
    }),
  );
  return rehearsal.document.steps.flatMap((step, index) => {
    const typed = 'send' in step ? step.send?.split(/\s/)[0] : undefined;
    const file = typed === undefined ? undefined : unsure.get(typed);
    return file === undefined ? [] : [refusal(`a line that ${file} runs`, ['steps', index, 'send'])];
  });
}

function refused({ names }: Border, kind: keyof Border['names']): readonly string[] {
  return names[kind]?.refused ?? [];
}

/** Calls without a result of their own: the tool would have to run. */
function toolsOf({ scenario: { document } }: Rehearsal, border: Border): UnlocatedProblem[] {
  if (document.tool_execution?.mode === 'mock') return [];
  const ours = refused(border, 'tool').filter((tool) => document.tool_execution?.tools?.[tool] === undefined);
  return [...responsesOf(document)].flatMap(({ response, path }) =>
    (response.tool_calls ?? []).flatMap(({ tool, result, error, offered }, index) =>
      ours.includes(tool) && result === undefined && error === undefined && offered !== false
        ? [refusal(`the tool ${tool}, which has no \`result\` here`, [...path, 'tool_calls', index, 'tool'])]
        : [],
    ),
  );
}

/** What `run` steps say to the CLI. */
function commandsOf({ document }: Rehearsal, border: Border): UnlocatedProblem[] {
  const subcommands = refused(border, 'subcommand');
  const flags = refused(border, 'flag');
  return document.steps.flatMap((step, index) => {
    if (!isRunStep(step)) return [];
    const lines = [step.run]
      .flat()
      .join(' ')
      .split(/[\n;&|]+/);
    return lines.flatMap((line) => {
      const [program, ...words] = line.trim().split(/\s+/);
      if (program !== 'claude') return [];
      const [first = ''] = words;
      const asked = [
        ...(subcommands.includes(first) ? [`\`claude ${first}\``] : []),
        ...words.filter((word) => flags.includes(word.replace(/=.*/, ''))).map((word) => `the flag ${word}`),
      ];
      return asked.map((what) => refusal(what, ['steps', index, 'run']));
    });
  });
}

/** Settings of a project, or the hooks of a plugin. What cannot be read is reported elsewhere. */
function settingsOf(text: string, path: Path, border: Border): UnlocatedProblem[] {
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isObject(settings)) return [];
  const named = refused(border, 'setting').filter((name) => name in settings);
  const types = refused(border, 'hook type');
  const hooks = isObject(settings['hooks']) ? Object.entries(settings['hooks']) : [];
  const kinds = hooks.flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .flatMap((group: unknown) => (isObject(group) && Array.isArray(group['hooks']) ? group['hooks'] : []))
      .filter(isObject)
      .flatMap((hook) => types.filter((type) => hook['type'] === type || hook[type] === true))
      .map((type) => `a hook of ${event} with ${type}`),
  );
  return [...named.map((name) => `the setting ${name}`), ...new Set(kinds)].map((what) => refusal(what, path));
}
