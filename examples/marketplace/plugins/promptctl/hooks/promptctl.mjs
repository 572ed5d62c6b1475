// Every hook event comes through here: it is logged, and blocked when a rule says so.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadRules, ruleFor } from './rules.mjs';

const LONGEST_TEXT = 2000;

/** The text that a rule's `contains` is looked for in. */
function textOf(payload) {
  const input = payload.tool_input;
  if (input !== undefined)
    return Object.values(input)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join('\n');
  if (payload.command_name !== undefined) return `/${payload.command_name} ${payload.command_args ?? ''}`;
  return String(
    payload.prompt ?? payload.last_assistant_message ?? payload.message ?? payload.custom_instructions ?? '',
  );
}

function shorten(_, value) {
  return typeof value === 'string' && value.length > LONGEST_TEXT
    ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
    : value;
}

function append(file, entry) {
  const folder = dirname(file);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    // The log is private to this machine; nobody should commit it by accident.
    if (folder.endsWith('.promptctl')) writeFileSync(join(folder, '.gitignore'), '*\n');
  }
  appendFileSync(file, `${JSON.stringify(entry, shorten)}\n`, { mode: 0o600 });
}

function decide(payload, file) {
  const { hook_event_name: event, tool_name: tool } = payload;
  try {
    const rule = ruleFor(loadRules(file, process.env.PROMPTCTL_BLOCK), { event, tool, text: textOf(payload) });
    // A stop that was blocked once must be able to happen, or the session never ends.
    if (rule === undefined || payload.stop_hook_active) return { decision: 'pass' };
    return { decision: 'block', reason: rule.reason ?? 'a promptctl rule blocks this' };
  } catch (error) {
    const blocks = event === 'PreToolUse' || event === 'UserPromptSubmit';
    return { decision: blocks ? 'block' : 'pass', reason: `promptctl cannot use its rules: ${error.message}` };
  }
}

const payload = JSON.parse(readFileSync(0, 'utf8'));
const project = process.env.CLAUDE_PROJECT_DIR || payload.cwd;
const verdict = decide(payload, process.env.PROMPTCTL_RULES || join(project, '.promptctl', 'rules.json'));
append(process.env.PROMPTCTL_LOG || join(project, '.promptctl', 'log.jsonl'), {
  time: new Date().toISOString(),
  event: payload.hook_event_name,
  session: payload.session_id,
  subject:
    payload.tool_name ??
    payload.command_name ??
    payload.agent_type ??
    payload.source ??
    payload.trigger ??
    payload.reason,
  ...verdict,
  payload,
});
if (verdict.decision === 'block') {
  process.stderr.write(`${verdict.reason}\n`);
  process.exitCode = 2;
}
