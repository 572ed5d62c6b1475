import { isHarmlessVariable } from './wrappers.js';

/** Programs that start another one: a rule about one of them with anything behind it would allow too much. */
const STARTERS = new Set([
  ...['sh', 'bash', 'zsh', 'fish', 'csh', 'tcsh', 'ksh', 'dash', 'cmd', 'powershell', 'pwsh'],
  ...['builtin', 'command', 'env', 'nice', 'nohup', 'stdbuf', 'time', 'timeout', 'xargs'],
  ...['doas', 'pkexec', 'runuser', 'su', 'sudo'],
]);

const SUBCOMMAND = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** What a rule must say to let a command through: its subcommand with anything behind it, or the command alone. */
export function suggestedRule(text: string): string {
  const [before = ''] = text.split('<<');
  const words = withoutSettings(before);
  const [program = '', subcommand = ''] = words;
  if (SUBCOMMAND.test(subcommand) && !STARTERS.has(program)) return `${program} ${subcommand} *`;
  // What follows is another text each time.
  if (before !== text) return `${words.slice(0, 2).join(' ')} *`;
  const [line = ''] = text.split('\n');
  return line === text ? text : `${line.trim()} *`;
}

/** The words of a command behind variables that no rule minds; none behind another variable. */
function withoutSettings(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const first = words.findIndex((word) => !isHarmlessVariable(word));
  return first === -1 || /^\w+=/.test(words[first] ?? '') ? [] : words.slice(first);
}
