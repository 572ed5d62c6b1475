import { AGENTS, COMMANDS, isResumeRequest, readMidTurn, SKILLS } from '@understudy/agents';
import { remindersIn, type TranscriptEntry, withoutReminders } from '@understudy/model';

const BUILT_IN = new Set([...AGENTS, ...SKILLS, ...COMMANDS, 'keybindings-help']);
const HOOK_NOTE = /^[A-Z]\w+(?::\S+)? hook (?:blocking error|additional context|success|stopped continuation)/;
/** A name, and perhaps another one in brackets. */
const NAMES = '[\\w:.-]+(?: \\([^)\\n]+\\))?: ';
const LISTED = /^- ([\w:.-]+)(?: \([^)\n]+\))?: /;
const HEADING = /^(?:Available agent types|New agent types are now available)/;
const LIST = new RegExp(`(?:${HEADING.source}.*\\n|^)- ${NAMES}`);
const BETWEEN = new RegExp(`\\n\\s*\\n|\\n(?=- ${NAMES})`);

/**
 * What a request tells the model since its last message: prompts, tool results, what commands expand to, what hooks say,
 * and the agents and skills that are not built in. Other texts of the CLI are its own.
 */
export function toldIn(entries: readonly TranscriptEntry[]): string[] {
  const said = entries.findLastIndex(({ kind }) => kind === 'assistant');
  return entries.slice(said + 1).flatMap((entry) => {
    if (entry.kind === 'assistant') return [];
    if (entry.kind === 'system') return notesIn(entry.text);
    const texts = entry.texts.flatMap((text) => [withoutReminders(text), ...remindersIn(text).flatMap(notesIn)]);
    // The CLI puts its notes for older models inside the results.
    const results = entry.results.flatMap(({ text }) => [text, ...remindersIn(text).flatMap(notesIn)]);
    return [...results, ...texts];
  });
}

/** What the CLI reports of a hook that wakes the agent is in the queue of its transcript. */
const NOTICE = '<task-notification>';

/** Files that the CLI shows by itself. */
const SHOWN =
  /^(?:Called the \w+ tool with|Result of calling the \w+ tool:|Codebase and user instructions are shown|Contents of \/)/;

function notesIn(text: string): string[] {
  if (text.includes(NOTICE)) return [];
  if (SHOWN.test(text)) return [text];
  const notes = paragraphs(text).filter((note) => HOOK_NOTE.test(note) || LIST.test(note));
  return [...readMidTurn(text), ...notes];
}

/** The paragraphs of a text, and each entry of a list. */
function paragraphs(text: string): string[] {
  return text.split(BETWEEN);
}

/** The same, paragraph by paragraph. Each of them once, in the order of the alphabet, because a retry repeats it. */
export function toldParagraphs(texts: readonly string[]): string[] {
  const told = texts
    // What follows on the first paragraph of a note cannot be distinguished from the real CLI's own words.
    .flatMap((text) => (HOOK_NOTE.test(text) || LIST.test(text) ? notesIn(text) : [text]))
    .flatMap((text) => withoutReminders(text).split(/\n\s*\n/))
    .flatMap((text) => (LIST.test(text) ? paragraphs(text) : [text]))
    .map((text) => text.trim().replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.jsonl)/g, 'SESSION'));
  return [...new Set(told)].filter((text) => text !== '' && !isOwn(text)).sort();
}

function isOwn(text: string): boolean {
  const [, listed = ''] = LISTED.exec(text) ?? [];
  return BUILT_IN.has(listed) || isResumeRequest(text) || HEADING.test(text);
}
