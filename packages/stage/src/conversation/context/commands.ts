import type { ConversationEvent, EventOf } from '@understudy/agents';

/** A slash command and its effects. */
export interface CommandUse {
  typed: string;
  name: string;
  args: string;
  status: EventOf<'command'>['status'];
  /** The text that the model got in its place. */
  expansion?: string;
  turn: number;
  startedAt: string;
  /** How its turn ended. */
  outcome?: EventOf<'turn_ended'>['outcome'];
  failed: boolean;
  effects: { tools: string[]; filesChanged: string[]; commits: string[] };
}

/** The commands of a conversation, in order. A turn has at most one. */
export function commandUses(events: readonly ConversationEvent[]): CommandUse[] {
  const uses: CommandUse[] = [];
  const byTurn = new Map<number, CommandUse>();
  for (const event of events) {
    if (event.type === 'command') {
      const { typed, name, args, status, turn } = event;
      const use: CommandUse = {
        ...{ typed, name, args, status, turn },
        startedAt: event.at,
        failed: status === 'unknown',
        effects: { tools: [], filesChanged: [], commits: [] },
      };
      uses.push(use);
      byTurn.set(turn, use);
      continue;
    }
    const use = byTurn.get(event.turn);
    if (use !== undefined) noteEffect(use, event);
  }
  return uses;
}

function noteEffect(use: CommandUse, event: ConversationEvent): void {
  switch (event.type) {
    case 'expansion':
      use.expansion = event.text;
      break;
    case 'tool_call':
      use.effects.tools.push(event.tool);
      break;
    case 'file_changed':
      use.effects.filesChanged.push(event.path);
      break;
    case 'commit':
      use.effects.commits.push(event.hash);
      break;
    case 'turn_ended':
      use.outcome = event.outcome;
      use.failed ||= event.outcome !== 'completed';
      break;
    default:
      break;
  }
}

/** Runs of commands in which each turn's followed the last one's, with no turn of talk between them. */
export function commandChains(uses: readonly CommandUse[]): string[][] {
  const chains: string[][] = [];
  let last: CommandUse | undefined;
  for (const use of uses) {
    const chain = chains.at(-1);
    if (chain !== undefined && last !== undefined && use.turn === last.turn + 1) chain.push(use.name);
    else chains.push([use.name]);
    last = use;
  }
  return chains.filter((chain) => chain.length > 1);
}
