/** The files of other tools that can be read. */
export const importFormats = ['aimock', 'atif', 'claude-code', 'codex', 'gemini-cli', 'opencode', 'ralph'] as const;

export type ImportFormat = (typeof importFormats)[number];

/** A question and its answer, as another tool has it. */
export interface ImportedTurn {
  /** Turns of one conversation have one name. */
  conversation: string;
  prompt: string;
  steps: ImportedStep[];
}

/** One answer of the model, and the results of the tools that it called. */
export interface ImportedStep {
  text: string;
  tools: { id: string; name: string; input: Record<string, unknown>; result?: string; failed?: boolean }[];
  /** The service refused to answer. */
  failure?: { status: number; message: string };
}

/** What a file of another tool says. */
export interface Imported {
  format: ImportFormat;
  agent?: string;
  version?: string;
  model?: string;
  recordedAt?: string;
  cwd?: string;
  turns: ImportedTurn[];
}

/** Puts what a tool gave to the call that it belongs to. */
export function addResult(
  turn: ImportedTurn | undefined,
  id: string | undefined,
  { result, failed }: { result: string; failed: boolean },
): void {
  const tool = turn?.steps.flatMap(({ tools }) => tools).find((one) => one.id === id);
  if (tool !== undefined) Object.assign(tool, { result, failed });
}
