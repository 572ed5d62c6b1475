import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { type Artifact, type ArtifactIndex, callLog, captureArtifacts, pick, unifiedDiff } from '@understudy/stage';
import type { HeldConversation } from './held-conversation.js';
import { imagesIn } from './images.js';
import { transcriptOf } from './transcript.js';

const captureKinds = ['logs', 'screenshots', 'session_state', 'git_diffs', 'conversation'] as const;

export type CaptureKind = (typeof captureKinds)[number];

export interface Captured {
  folder: string;
  index: ArtifactIndex;
  /** What was asked for and is not there, with the reason. */
  absent: { kind: CaptureKind; reason: string }[];
}

export interface CaptureOptions {
  root: string;
  name: string;
  kinds: readonly CaptureKind[];
  conversations: readonly HeldConversation[];
}

/** Saves what is known of conversations for a later look. What is not there is reported, never made up. */
export function capture({ root, name, kinds, conversations }: CaptureOptions): Captured {
  if (conversations.length === 0) {
    throw new UnderstudyError(
      'HARNESS_NOTHING_TO_CAPTURE',
      'there was no conversation, so there is nothing to capture',
      {
        fix: 'Capture after start_conversation; ended conversations count, too.',
      },
    );
  }
  const absent: Captured['absent'] = [];
  const artifacts = kinds.flatMap((kind) => {
    const found = conversations.flatMap((held) => artifactsOf[kind](held));
    if (found.length === 0) absent.push({ kind, reason: WHY_ABSENT[kind] });
    return found;
  });
  return { ...captureArtifacts({ root, name, artifacts }), absent };
}

const WHY_ABSENT: Record<CaptureKind, string> = {
  logs: 'no log was written',
  screenshots: 'no image was seen in the conversation',
  session_state: 'there is no state',
  git_diffs: 'no file of the project changed and nothing was committed',
  conversation: 'nothing was said',
};

const artifactsOf: Record<CaptureKind, (held: HeldConversation) => Artifact[]> = {
  logs: (held) => {
    const { id, facts } = held;
    const files = ['events.jsonl', 'requests.jsonl'].map((name) => join(facts.artifacts, name));
    const logs: Artifact[] = [...files, callLog(facts.artifacts)]
      .filter((file) => existsSync(file))
      .map((from) => ({ kind: 'logs', name: `${id}-${basename(from)}`, from }));
    const hooks = held.recordedHooks();
    if (hooks.length > 0) {
      const content = hooks
        .map(
          (hook) => `${JSON.stringify(hook)}
`,
        )
        .join('');
      logs.push({ kind: 'logs', name: `${id}-hooks.jsonl`, content });
    }
    return logs;
  },
  conversation: (held) =>
    held.events.length === 0 ? [] : [{ kind: 'conversation', name: `${held.id}.md`, content: transcriptOf(held) }],
  screenshots: (held) =>
    imagesIn(held).map(({ extension, data }, index) => ({
      kind: 'screens',
      name: `${held.id}-${index + 1}.${extension}`,
      content: data,
    })),
  session_state: (held) => [
    {
      kind: 'session-state',
      name: `${held.id}.json`,
      content: `${JSON.stringify(held.conversation.snapshot(), null, 2)}\n`,
    },
  ],
  git_diffs: ({ id, events }) => {
    const changes = pick(events, 'file_changed').map(
      ({ turn, path, before, after }) =>
        `turn ${turn}\n--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ ${after === undefined ? '/dev/null' : `b/${path}`}\n${unifiedDiff(before ?? '', after ?? '')}`,
    );
    const commits = pick(events, 'commit').map(
      ({ turn, hash, message, files }) => `turn ${turn}\ncommit ${hash}\n${message}\n${files.join('\n')}\n`,
    );
    if (changes.length + commits.length === 0) return [];
    return [{ kind: 'diffs', name: `${id}.diff`, content: [...changes, ...commits].join('\n') }];
  },
};
