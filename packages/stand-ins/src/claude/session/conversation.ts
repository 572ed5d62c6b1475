import type { Play } from '@understudy/script';
import { SeenFiles } from './seen-files.js';
import type { Transcript } from './transcript.js';

/** What the agent of a session has in mind: `/clear` begins another one. */
export class Conversation {
  readonly transcript: Transcript;
  readonly play: Play;
  /** How many prompts it has had. */
  prompts: number;
  /** An estimate of its tokens. */
  contextTokens = 0;
  /** How many messages of the model it has. */
  answered = 0;
  /** How many failures of the API it has. */
  failed = 0;
  /** Hooks ran when it began. The real CLI counts that as a message, whatever they said. */
  hookedAtStart = false;
  /** What the model has received in addition: agents, skills, what hooks said. */
  known = new Set<string>();
  /** What the model has read of skills and commands, by their names. */
  readonly loadedSkills = new Map<string, string>();
  /** Files that the agent of the session has seen; a subagent has its own. */
  readonly seenFiles = new SeenFiles();

  constructor(transcript: Transcript, play: Play, prompts = 0) {
    this.transcript = transcript;
    this.play = play;
    this.prompts = prompts;
  }
}
