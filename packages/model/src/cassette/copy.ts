import { existsSync } from 'node:fs';
import { UnderstudyError } from '@understudy/kit';
import { mapStream } from './channels.js';
import type { Interaction } from './format.js';
import { mapTexts } from './parts.js';
import { CassetteFile } from './reader.js';
import { CassetteWriter } from './writer.js';

export interface Edit {
  drop?: readonly number[];
  dropConversation?: readonly string[];
  /** Old text and new text. */
  replace?: readonly (readonly [string, string])[];
}

/** Writes a cassette again, changed. Gives the number of interactions that it has then. */
export function editedCopy(
  file: string,
  output: string,
  { drop = [], dropConversation = [], replace = [] }: Edit,
): number {
  const cassette = CassetteFile.open(file);
  checkNames(cassette, drop, dropConversation);
  const change = (text: string) => replace.reduce((changed, [old, fresh]) => changed.replaceAll(old, fresh), text);
  const { type: _, version: __, understudy: ___, ...header } = cassette.header;
  const writer = new CassetteWriter({ file: output, header: mapTexts(header, change) as typeof header });
  try {
    for (const line of cassette.lines()) {
      if (line.type === 'seen') writer.seen(mapTexts(line.event, change) as { type: string });
      if (line.type === 'files') writer.files(mapTexts(line, change) as typeof line);
      if (line.type !== 'interaction' || drop.includes(line.number) || dropConversation.includes(line.conversation))
        continue;
      const whole = cassette.interactions.find(({ number }) => number === line.number);
      if (whole !== undefined) writer.interaction(changed(cassette.read(whole), change));
    }
    return finish(writer);
  } finally {
    writer.discard();
    cassette.close();
  }
}

/** Puts cassettes into one, one after the other: their conversations stay apart. */
export function mergedCopy(files: readonly string[], output: string): number {
  const [first] = files;
  if (first === undefined) throw new UnderstudyError('CASSETTE_MISSING', 'there is nothing to merge');
  const cassettes = files.map((file) => CassetteFile.open(file));
  const { type: _, version: __, understudy: ___, ...header } = cassettes[0]?.header ?? CassetteFile.open(first).header;
  const agents = cassettes.flatMap((cassette) => cassette.header.agents);
  const unique = agents.filter(
    (one, index) => agents.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  );
  const writer = new CassetteWriter({ file: output, header: { ...header, agents: unique } });
  try {
    let numbers = 0;
    let names = 0;
    for (const cassette of cassettes) {
      const renamed = new Map<string, string>();
      const nameOf = (name: string) => {
        if (name === '') return name;
        const fresh = renamed.get(name) ?? `c${++names}`;
        renamed.set(name, fresh);
        return fresh;
      };
      for (const entry of cassette.interactions) {
        const { type: _type, ...interaction } = cassette.read(entry);
        writer.interaction({ ...interaction, number: ++numbers, conversation: nameOf(entry.conversation) });
      }
      for (const line of cassette.lines()) {
        if (line.type === 'seen') writer.seen(line.event);
        if (line.type === 'files') writer.files(line);
      }
    }
    return finish(writer);
  } finally {
    writer.discard();
    for (const cassette of cassettes) cassette.close();
  }
}

function finish(writer: CassetteWriter): number {
  if (writer.interactions === 0) {
    throw new UnderstudyError('CASSETTE_EDIT', 'no interaction would be left', { fix: 'Drop fewer of them.' });
  }
  writer.close();
  return writer.interactions;
}

function changed(
  { type: _, ...interaction }: Interaction,
  change: (text: string) => string,
): Omit<Interaction, 'type'> {
  const { request, answer } = interaction;
  return {
    ...interaction,
    request: mapTexts(request, change) as typeof request,
    answer: {
      ...answer,
      ...(answer.events === undefined ? {} : { events: mapStream(answer.events, change) }),
      ...(answer.body === undefined ? {} : { body: mapTexts(answer.body, change) }),
    },
  };
}

function checkNames(cassette: CassetteFile, drop: readonly number[], conversations: readonly string[]): void {
  const number = drop.find((wanted) => !cassette.interactions.some((one) => one.number === wanted));
  const name = conversations.find((wanted) => !cassette.interactions.some((one) => one.conversation === wanted));
  if (number === undefined && name === undefined) return;
  const what = number === undefined ? `conversation ${name}` : `interaction ${number}`;
  throw new UnderstudyError('CASSETTE_EDIT', `${cassette.file} has no ${what}`, {
    fix: 'See what there is with `understudy cassette show`.',
  });
}

/** A cassette that is not there yet. */
export function checkFree(file: string): void {
  if (!existsSync(file)) return;
  throw new UnderstudyError('CASSETTE_EDIT', `${file} exists already`, { fix: 'Choose another name with `-o`.' });
}
