import { shellProgram } from '../../shared/tools/shell.js';

const TELL_FOLDER = 'pwd -P >&3';

/**
 * How the CLI starts a shell for a command. What the command says of the shell itself counts as there: because of the `&&`
 * behind it, `set -e` does not end it, and its last folder is known only where it comes to its end.
 */
export function shellCommandLine(command: string, prelude: string, afterwards = TELL_FOLDER): [string, ...string[]] {
  const input = readsInput(command) ? '' : ' < /dev/null';
  const line = `exec 2>&1; shopt -s expand_aliases 2>/dev/null; ${prelude}eval ${quoted(command)}${input} && ${afterwards}`;
  return [shellProgram(), '-c', line];
}

/** Whether it says itself where its input comes from. */
function readsInput(command: string): boolean {
  return /(?<!<)<(?![<(&=])|<</.test(command.replace(/'[^']*'|"[^"]*"/g, ''));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
