import { existsSync, readFileSync } from 'node:fs';

const BLOCKABLE = ['PreToolUse', 'UserPromptSubmit', 'UserPromptExpansion', 'PreCompact', 'Stop', 'SubagentStop'];
const FIELDS = ['event', 'tool', 'contains', 'reason'];

/** What is wrong with a rule, or undefined. */
function problemOf(rule) {
  if (typeof rule !== 'object' || rule === null) return 'a rule must be an object';
  const unknown = Object.keys(rule).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `unknown field "${unknown}" (known: ${FIELDS.join(', ')})`;
  if (!BLOCKABLE.includes(rule.event))
    return `event "${rule.event}" cannot be blocked (these can: ${BLOCKABLE.join(', ')})`;
  if (rule.tool !== undefined && rule.event !== 'PreToolUse') return '"tool" belongs to PreToolUse';
  const wrong = FIELDS.find((field) => rule[field] !== undefined && typeof rule[field] !== 'string');
  return wrong === undefined ? undefined : `"${wrong}" must be a text`;
}

function fromEnvironment(value) {
  if (!value) return [];
  const [event, ...rest] = value.split(':');
  return [
    { event, ...(rest.length > 0 ? { contains: rest.join(':') } : {}), reason: `blocked by PROMPTCTL_BLOCK=${value}` },
  ];
}

/** All rules in force; throws with one sentence when one of them cannot be used. */
export function loadRules(file, environmentRule) {
  let rules = [];
  if (existsSync(file)) {
    try {
      rules = JSON.parse(readFileSync(file, 'utf8')).rules;
    } catch (error) {
      throw new Error(`${file} is not valid JSON: ${error.message}`);
    }
    if (!Array.isArray(rules)) throw new Error(`${file} must hold { "rules": [ … ] }`);
  }
  const all = [...rules, ...fromEnvironment(environmentRule)];
  for (const [index, rule] of all.entries()) {
    const problem = problemOf(rule);
    if (problem !== undefined) throw new Error(`rule ${index + 1} of promptctl: ${problem}`);
  }
  return all;
}

/** The first rule that speaks about this event. */
export function ruleFor(rules, { event, tool, text }) {
  return rules.find(
    (rule) =>
      rule.event === event &&
      (rule.tool === undefined || rule.tool === tool) &&
      (rule.contains === undefined || text.toLowerCase().includes(rule.contains.toLowerCase())),
  );
}
