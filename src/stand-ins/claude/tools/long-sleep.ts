import { readShellLine } from '../../../claude-code/permissions/bash-command.js';

/** From so many seconds on, a command must not begin with waiting. */
const LONG_SECONDS = 25;
const INSTEAD =
  'To wait for a condition, use Monitor with an until-loop (e.g. `until <check>; do sleep 2; done`). To wait for a command ' +
  'you started, use run_in_background: true. Do not chain shorter sleeps to work around this block.';

/** Why a command is not run that waits first. */
export function refuseLongSleep(line: string): string | undefined {
  // Most commands do not wait.
  if (!/^\s*sleep\s/.test(line)) return undefined;
  const texts = readShellLine(line).commands.map(({ text }) => withoutComment(text).trim());
  const [first = '', ...rest] = texts.filter((text) => text !== '');
  const seconds = /^sleep\s+(\d+(?:\.\d+)?)$/.exec(first)?.[1];
  if (seconds === undefined || Number(seconds) < LONG_SECONDS) return undefined;
  const what = rest.length === 0 ? `standalone ${first}` : `${first} followed by: ${rest.join(' ')}`;
  return `Blocked: ${what}. ${INSTEAD}`;
}

function withoutComment(text: string): string {
  return text.replace(/(^|\s)#[^'"]*$/, '');
}
