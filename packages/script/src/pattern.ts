import { globToRegex } from './glob.js';
import { type Captures, compileRegex, type LinearRegex } from './linear-regex.js';
import type { Prompt, SlashCommand } from './prompt.js';
import type { Pattern, TextPattern } from './schema.js';

/** A compiled pattern. */
export interface CompiledPattern<Subject> {
  /** The groups of the match, or undefined if there is none. */
  match(subject: Subject): Captures | undefined;
  /** How many groups a template may refer to. */
  groupCount: number;
  groupNames: readonly string[];
  /** The pattern in a few words, for messages. */
  description: string;
}

/** Thrown for a pattern that cannot be used. The message is the reason. */
export class RefusedPattern extends Error {}

const MATCHED: Captures = { groups: [], named: {} };

/** Compiles a pattern over one text. Throws `RefusedPattern`. */
export function compileTextPattern(pattern: TextPattern): CompiledPattern<string> {
  const base = { groupCount: 0, groupNames: [], description: describePattern(pattern) };
  switch (pattern.type) {
    case 'any':
      return { ...base, match: () => MATCHED };
    case 'exact': {
      const wanted = fold(pattern.text.trim(), pattern.ignore_case);
      return { ...base, match: (text) => (fold(text, pattern.ignore_case) === wanted ? MATCHED : undefined) };
    }
    case 'contains': {
      const wanted = fold(pattern.text, pattern.ignore_case);
      return { ...base, match: (text) => (fold(text, pattern.ignore_case).includes(wanted) ? MATCHED : undefined) };
    }
    case 'regex':
    case 'glob': {
      const regex = toRegex(pattern);
      const { groupCount, groupNames } = regex;
      // A test is several times faster than a match with groups, and most texts do not match.
      return { ...base, groupCount, groupNames, match: (text) => (regex.test(text) ? regex.exec(text) : undefined) };
    }
  }
}

/** A plain string is searched for. */
export function asTextPattern(saying: string | TextPattern): TextPattern {
  return typeof saying === 'string' ? { type: 'contains', text: saying } : saying;
}

/** Compiles a pattern over a prompt. Throws `RefusedPattern`. */
export function compilePattern(pattern: Pattern): CompiledPattern<Prompt> {
  if (pattern.type !== 'command') {
    const compiled = compileTextPattern(pattern);
    return { ...compiled, match: (prompt) => compiled.match(prompt.text) };
  }
  const args = pattern.args === undefined ? undefined : compileTextPattern(pattern.args);
  return {
    groupCount: args?.groupCount ?? 0,
    groupNames: args?.groupNames ?? [],
    description: describePattern(pattern),
    match({ command }) {
      if (command === undefined || !namesCommand(pattern.name, command)) return undefined;
      return args === undefined ? MATCHED : args.match(command.args);
    },
  };
}

/** The regular expression that a regex or glob pattern stands for. */
export function regexOf(pattern: TextPattern & { type: 'regex' | 'glob' }) {
  return {
    pattern: pattern.type === 'glob' ? globToRegex(pattern.pattern) : pattern.pattern,
    options: { ignoreCase: pattern.ignore_case ?? false, dotAll: pattern.type === 'glob' },
  };
}

/** `contains "login"`, `command /explore`: how messages name a pattern. */
export function describePattern(pattern: Pattern): string {
  const suffix = 'ignore_case' in pattern && pattern.ignore_case ? ' (any case)' : '';
  switch (pattern.type) {
    case 'any':
      return 'any';
    case 'exact':
    case 'contains':
      return `${pattern.type} ${JSON.stringify(pattern.text)}${suffix}`;
    case 'regex':
    case 'glob':
      return `${pattern.type} ${JSON.stringify(pattern.pattern)}${suffix}`;
    case 'command':
      return `command /${bareName(pattern.name)}${pattern.args === undefined ? '' : ` with args ${describePattern(pattern.args)}`}`;
  }
}

/** `explore` names `/explore` and `/agent-loop:explore`; `agent-loop:explore` names the latter only. */
export function namesCommand(name: string, command: SlashCommand): boolean {
  const wanted = bareName(name);
  return command.name === wanted || (!wanted.includes(':') && command.name.endsWith(`:${wanted}`));
}

export function bareName(name: string): string {
  return name.startsWith('/') ? name.slice(1) : name;
}

export function fold(text: string, ignoreCase: boolean | undefined): string {
  return ignoreCase ? text.toLowerCase() : text;
}

function toRegex(pattern: TextPattern & { type: 'regex' | 'glob' }): LinearRegex {
  const { pattern: source, options } = regexOf(pattern);
  const compiled = compileRegex(source, options);
  if ('refused' in compiled) throw new RefusedPattern(compiled.refused);
  return compiled;
}
