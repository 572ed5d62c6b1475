/** Whether a line has `$(…)`, backquotes, `<(…)` or `>(…)`: Gemini CLI runs none of them. */
export function hasSubstitution(given: string): boolean {
  const line = withoutWrapper(given);
  let isSingle = false;
  let isDouble = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    const next = line[at + 1] ?? '';
    if (character === "'" && !isDouble) isSingle = !isSingle;
    else if (character === '"' && !isSingle) isDouble = !isDouble;
    else if (isSingle) continue;
    else if (character === '\\' && (!isDouble || '$`"\\\n'.includes(next))) at++;
    else if (character === '`' || (character === '$' && next === '(')) return true;
    else if (!isDouble && next === '(' && (character === '<' || character === '>')) return true;
  }
  return false;
}

/** The command of `sh -c '…'`, and any other line as it is. */
function withoutWrapper(line: string): string {
  const command = line.replace(/^\s*(?:\S+\/)?(?:sh|bash|zsh)\s+-c\s+/i, '').trim();
  return command.length < line.trim().length ? command.replace(/^(['"])(.*)\1$/s, '$2') : line;
}
