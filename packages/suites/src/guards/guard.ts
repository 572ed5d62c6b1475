import type { JsonObject } from '@understudy/kit';
import type { ProjectDescription, RehearsalInput } from '@understudy/runner';

/** What is tried against a guard: a call of a tool, a prompt, or the end of a turn. */
export interface Attempt {
  /** The tool that the model calls; absent for a prompt, and for the end of a turn. */
  tool?: string;
  input?: JsonObject;
  /** What the user says. */
  prompt?: string;
  /** A file of the project that must be there, and must have been read. */
  edits?: string;
}

/** What a guard is: a hook, a rule for permissions, a list of MCP servers, or what `guard.toml` says. */
export type GuardKind = 'hook' | 'rule' | 'server' | 'declared';

/** Something that a user wrote to stop an agent. It is plain data. */
export interface Guard {
  kind: GuardKind;
  /** The same from one run to the next: `deny Bash(rm:*)`, `PreToolUse on Bash: guard.sh`. */
  name: string;
  /** Where it stands, relative to the folder that was looked at. */
  file: string;
  line?: number;
  /** What must become of the attack: it is stopped, or the user is asked. */
  expects: 'blocked' | 'asked';
  /** The event of a hook, and the subject on which it runs. */
  event?: string;
  /** Where a hook stands in its file, and the exit code with which it stopped the attack. */
  path?: string;
  exits?: number;
  /** It stands in the settings of an administrator. */
  isManaged?: true;
  /** The matcher and the command of a hook. */
  matcher?: string;
  command?: string;
  /** A rule as it is written. */
  rule?: string;
  /** The list of a rule: an `allow` must not cover its attack, and must cover its twin. */
  list?: 'allow' | 'ask' | 'deny';
  attack?: Attempt;
  harmless?: Attempt;
  /** The words of the hook when it was fired by hand with the attack. */
  says?: string;
  /** The tool of the attack must not be there at all. */
  isGone?: true;
  /** Of what `guard.toml` alone says: a rule denies it, and no hook has to. */
  isDenied?: true;
  /** What is known to be wrong with it before it is played. */
  defect?: string;
  /** Why no attack could be derived. It is never guessed. */
  underived?: string;
  /** Why it stops nothing, and so is not played. */
  stopsNothing?: string;
}

/** What the guards of a folder are played in. */
export interface Setting {
  /** The folder in which the files of the guards are. */
  root: string;
  /** The words after `understudy guard` that look at it again. */
  again: string[];
  project: ProjectDescription;
  plugins: string[];
  settings?: RehearsalInput['settings'];
  managed?: RehearsalInput['managed_settings'];
}

/** The guards of a plugin or a project, and what they are played in. */
export interface GuardedFolder {
  setting: Setting;
  guards: Guard[];
}

/** An attempt in a few words, for tables. */
export function describeAttempt({ tool, input = {}, prompt }: Attempt): string {
  if (tool === undefined) return prompt === undefined ? 'the end of a turn' : `prompt: ${prompt}`;
  const [what] = ['command', 'file_path', 'url', 'subagent_type', 'pattern'].flatMap((name) => input[name] ?? []);
  const text = typeof what === 'string' ? what.replaceAll('{{cwd}}/', '') : '';
  return tool === 'Bash' ? text : `${tool} ${text}`.trim();
}
