import type { CommandDefinition, PermissionRule } from '@understudy/agents';
import type { TranscriptLine } from './transcript.js';

/** What counts for one turn of a session. */
export class TurnState {
  /** Absent before the first prompt. */
  readonly promptId: string | undefined;
  /** What the slash command asks for. */
  ofCommand: Pick<CommandDefinition, 'model' | 'effort'> = {};
  /** What it allows, in addition to the rules of the session. */
  readonly rules: PermissionRule[] = [];
  /** Lines of the transcript about hooks that saw the prompt, which is not written yet. */
  hookLinesOfPrompt: TranscriptLine[] = [];
  /** The same about the expansion of the command. */
  hookLinesOfExpansion: TranscriptLine[] = [];

  constructor(promptId?: string) {
    this.promptId = promptId;
  }
}
