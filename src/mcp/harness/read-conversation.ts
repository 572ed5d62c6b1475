import { defined, redactAll, redactor, UnderstudyError, UntrustedFolder } from '@understudy/kit';
import type { HeldConversation } from './held-conversation.js';
import { transcriptOf } from './transcript.js';

type View = 'transcript' | 'events' | 'requests' | 'scenario' | 'report';

const readers: Record<View, (held: HeldConversation) => string> = {
  transcript: transcriptOf,
  events: (held) => {
    const redact = redactor(process.env);
    return held.events.map((event) => `${JSON.stringify(redactAll(event, redact))}\n`).join('');
  },
  requests: (held) => {
    // The agent may write there.
    const requests = new UntrustedFolder(held.facts.artifacts).text('requests.jsonl', LONGEST_JOURNAL);
    if (requests === undefined) throw notHere('requests', held);
    return requests;
  },
  scenario: (held) => {
    const { server } = held.conversation;
    if (server === undefined) throw notHere('scenario', held);
    return JSON.stringify(server.script.scenario.document, null, 2);
  },
  report: (held) => JSON.stringify(reportOf(held), null, 2),
};

/** The journal ends its file before that. */
const LONGEST_JOURNAL = 512 * 1024 ** 2;

/** A conversation as a document: what happened, what was asked, what was scripted, how it ended. */
export function readConversation(held: HeldConversation, view: View): string {
  return readers[view](held);
}

function reportOf(held: HeldConversation) {
  const { conversation, facts, workflow, ended } = held;
  const usage = conversation.scriptUsage();
  return {
    ...{ session_id: held.id, agent: facts.agent, stage: facts.stage, project: facts.project, plugins: facts.plugins },
    ...defined({ ended }),
    turns: conversation.turns.map(({ number, prompt, outcome, reason, message, text, tools, milliseconds }) => ({
      ...{ number, prompt, outcome, reason, message, said: text, milliseconds },
      tools: tools.map(({ tool, status }) => ({ tool, status })),
    })),
    ...(workflow === undefined
      ? {}
      : {
          workflow: {
            name: workflow.workflow,
            workflow_stage: workflow.label,
            transitions: workflow.transitions.map(({ from, to, trigger }) => ({ from, to, trigger })),
            invalid: workflow.invalid.map(({ problem }) => problem),
          },
        }),
    unused_rules: usage?.unused ?? [],
    unanswered: usage?.unmatched ?? [],
  };
}

function notHere(what: View, held: HeldConversation): UnderstudyError {
  return new UnderstudyError('HARNESS_NO_WIRE', `on the stage "${held.facts.stage}" there are no ${what} to read`, {
    fix: 'Use the scripted stage.',
  });
}
