/** The values that a contract can ask for. */
export interface PlaceholderValues {
  prompt: string;
  /** The name of the file with the prompt, in the workspace. */
  prompt_file: string;
  iterations: string;
  /** The agent's name, such as `kiro`. */
  agent: string;
  /** The agent's program, such as `kiro-cli`. */
  program: string;
  /** Seconds after which a run, or an agent, must be ended. */
  deadline: string;
  promise: string;
  /** The folder of the contract. */
  here: string;
  /** The workspace. */
  project: string;
}

export const placeholderNames: readonly (keyof PlaceholderValues)[] = [
  ...(['prompt', 'prompt_file', 'iterations', 'agent', 'program', 'deadline', 'promise', 'here', 'project'] as const),
];

/** A whole word that stands for the command of understudy itself. */
export const UNDERSTUDY = '{{understudy}}';

export const PROMPT_FILE = 'PROMPT.md';

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names between double braces in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** The text with values for its placeholders. A value is never looked through again. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (written, name: string) => (isKnown(name) ? values[name] : written));
}

function isKnown(name: string): name is keyof PlaceholderValues {
  return (placeholderNames as readonly string[]).includes(name);
}
