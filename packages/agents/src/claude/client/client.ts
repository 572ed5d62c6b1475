import type { OwnQuestion } from '@understudy/model';
import { type Authored, factIn, header, type ServedClient, withoutReminders } from '@understudy/model';
import { retriesFor } from '@understudy/script';
import { environment } from '../environment.js';
import { readCommandTags } from './command-tags.js';
import { questionPrompt, readQuestion } from './hook-question.js';
import { readMidTurn } from './mid-turn.js';
import { NO_OUTPUT } from './no-output.js';
import { isResumeRequest } from './resume-request.js';

/** What Claude Code did itself, and reports to the model. */
const LOCAL = /^\s*<(?:local-command-|bash-(?:input|stdout|stderr)|command-name>)/;
const INTERRUPTED = /^\s*\[Request interrupted by user/;
/** How a hook's words to the model begin. */
const HOOK_NOTE = /^[A-Z]\w+(?::\S+)? hook (?:blocking error|additional context|success|stopped continuation)/m;
/** A Stop hook that gives context keeps the turn going: its words are the next prompt. */
const STOP_CONTEXT =
  /^\s*<system-reminder>\s*((?:Subagent)?Stop hook additional context: [\s\S]*?)\s*<\/system-reminder>\s*$/;
/** The result of the Skill tool. The text of the skill follows the results as a message of its own. */
const LAUNCHED_SKILL = /^Launching skill: /;
const PRELOADED_SKILL = '<skill-format>';
/** Other messages that belong to a tool result. */
const COMPANION = /^(?:\(Re-invocation of \/|\[Image: |Tool loaded\.$)/;

/** Claude Code: reminders, slash commands, and messages that were joined into one. */
export const claudeCode: ServedClient = {
  name: 'claude',
  environment,
  retries: retriesFor,

  modelVariables:
    /^(?:ANTHROPIC_(?:MODEL|SMALL_FAST_MODEL|DEFAULT_[A-Z]+_MODEL|VERTEX_PROJECT_ID)|CLAUDE_CODE_USE_(?:BEDROCK|VERTEX)|AWS_REGION|CLOUD_ML_REGION)$/,

  // The last two are offered only to whom names them, as a conversation of ours does.
  modeTools: ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'Glob', 'Grep'],

  ownTools: ['read', 'write', 'edit'],

  recognizes: (headers) => header(headers, 'user-agent')?.startsWith('claude-cli/') ?? false,

  identify: (headers) => ({
    session: header(headers, 'x-claude-code-session-id'),
    agentId: header(headers, 'x-claude-code-agent-id'),
  }),

  authored(texts) {
    const messages: Authored[] = [];
    let command: Authored['command'];
    for (const parts of joinedMessages(texts)) {
      const text = parts.join('\n').trim();
      const tagged = readCommandTags(text);
      // A skill that the definition of a subagent names comes behind the prompt, and nobody said it.
      if (tagged?.rest.startsWith(PRELOADED_SKILL) === true) continue;
      if (tagged !== undefined) {
        command = { name: tagged.name, args: tagged.args };
        if (tagged.rest === '') continue;
        messages.push({ text: tagged.rest, command });
      } else if (text !== '' && !isResumeRequest(text) && !LOCAL.test(text) && !INTERRUPTED.test(text)) {
        messages.push({ text, ...(command === undefined ? {} : { command }) });
      }
      command = undefined;
    }
    // A command that expands to nothing is still something that the user said.
    if (command !== undefined) messages.push({ text: `/${command.name} ${command.args}`.trim(), command });
    return messages;
  },

  ownQuestion,

  wantsWords: (prompt) => prompt === NO_OUTPUT,

  hookQuestion(asked, system) {
    const question = readQuestion(asked, system);
    return question && { ...question, prompt: questionPrompt(question.event, question.text, question.payload) };
  },
  workingFolder: (request) => factIn(request, /Primary working directory: (.+)/),

  reportsFailure: () => false,

  hookNotes: (notes) =>
    notes.flatMap((note) => {
      const start = note.search(HOOK_NOTE);
      return start === -1 ? [] : [note.slice(start).trim()];
    }),

  midTurnPrompts: (notes) => notes.flatMap(readMidTurn),

  // A turn can end at its tool results: a hook stopped it, the user interrupted it, or the model failed. The next prompt
  // then stands in one entry with the results.
  promptBehind(texts, { results }) {
    const messages = claudeCode.authored(texts).filter(({ text }) => !COMPANION.test(text));
    const skills = results.filter(({ text }) => LAUNCHED_SKILL.test(text)).length;
    return messages.slice(skills).at(-1);
  },

  resumes: (texts) => texts.some((text) => isResumeRequest(withoutReminders(text).trim())),
};

/**
 * Takes apart user messages that stand in one entry because no answer came between them (a failed
 * turn, a local command, a slash command and its body): each but the last ends with a line break.
 */
function joinedMessages(texts: readonly string[]): string[][] {
  const messages: string[][] = [[]];
  texts.forEach((text, index) => {
    const own = STOP_CONTEXT.exec(text)?.[1] ?? withoutReminders(text);
    if (own.trim() !== '') messages.at(-1)?.push(own);
    if (text.endsWith('\n') && index < texts.length - 1) messages.push([]);
  });
  return messages.filter((parts) => parts.length > 0);
}

/** What Claude Code asks the model in the user's name, beside the conversation. */
const QUESTIONS: readonly [RegExp, OwnQuestion][] = [
  // What the user may say next, after each turn but the first (`promptSuggestions` of a host, and the terminal).
  [/^\[SUGGESTION MODE: /, 'suggestion'],
  // What a subagent does, about every half minute (`agentProgressSummaries` of a host).
  [/^Describe (?:your|the agent's) most recent action in 3-5 words using present tense/, 'progress'],
];

function ownQuestion(prompt: string): OwnQuestion | undefined {
  return QUESTIONS.find(([pattern]) => pattern.test(prompt))?.[1];
}
