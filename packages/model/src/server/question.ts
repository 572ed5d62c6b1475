import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '@understudy/kit';
import { tagOf } from './client-keys.js';
import type { Client } from './clients/client.js';
import { recognizeClient } from './clients/recognize-client.js';
import type { Question } from './conversations.js';
import type { JournalEntry } from './journal.js';
import { readTranscript } from './transcript.js';
import { MalformedRequest, type Target, type WireProtocol } from './wire/protocol.js';

/** Reads who asks what. Throws `MalformedRequest` when there is nothing to answer in the body. */
export function readQuestion(
  clients: readonly Client[],
  incoming: IncomingMessage,
  protocol: WireProtocol,
  body: unknown,
  target: Target,
): Question {
  if (!isObject(body)) throw new MalformedRequest('the body must be a JSON object');
  const client = recognizeClient(clients, incoming.headers);
  const request = protocol.read(body as JsonObject, target);
  return {
    ...{ client, request, transcript: readTranscript(request, client) },
    ...{ identity: client.identify(incoming.headers), tag: tagOf(incoming) },
  };
}

/** What the journal says of a question. */
export function notesOf({ client, request, transcript }: Question): Partial<JournalEntry> {
  const notes: Partial<JournalEntry> = { client: client.name, model: request.model, stream: request.stream };
  if (transcript.prompt === undefined) notes.results = transcript.results;
  else {
    notes.prompt = transcript.prompt.text;
    if (transcript.prompt.command !== undefined) notes.command = transcript.prompt.command;
  }
  return notes;
}
