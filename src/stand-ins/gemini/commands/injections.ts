/** A place in a command's prompt that something else comes to: `!{…}` or `@{…}`. */
export interface Injection {
  content: string;
  start: number;
  end: number;
}

/** A command that cannot be run, in the words of Gemini CLI. */
export class CommandProblem extends Error {}

/** The injections of a text; braces in them are counted. */
export function injectionsIn(text: string, trigger: '!{' | '@{', command: string): Injection[] {
  const injections: Injection[] = [];
  for (let start = text.indexOf(trigger); start !== -1; start = text.indexOf(trigger, start)) {
    const end = closingBrace(text, start + trigger.length);
    if (end === undefined)
      throw new CommandProblem(
        `Invalid syntax in command '${command}': Unclosed injection starting at index ${start} ('${trigger}'). Ensure braces are balanced. Paths or commands with unbalanced braces are not supported directly.`,
      );
    injections.push({ content: text.slice(start + trigger.length, end).trim(), start, end: end + 1 });
    start = end + 1;
  }
  return injections;
}

function closingBrace(text: string, from: number): number | undefined {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}') open--;
    if (open === 0) return at;
  }
  return undefined;
}
