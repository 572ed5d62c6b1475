import type { ServerResponse } from 'node:http';
import { clientGoneSignal } from '../server/delivery.js';
import { pause } from '../server/pacing.js';
import { awsFrame } from './aws-stream.js';
import { mapStream } from './channels.js';
import type { RecordedAnswer, StreamEvent } from './format.js';
import { mapTexts } from './parts.js';
import { streamText } from './stream.js';

export interface DeliveryOptions {
  /** Puts this machine's folders where the cassette has names. */
  show: (text: string) => string;
  speed?: number | undefined;
}

/** Sends a recorded answer, and gives it as it was sent. */
export async function deliverRecorded(
  response: ServerResponse,
  recorded: RecordedAnswer,
  { show, speed }: DeliveryOptions,
): Promise<RecordedAnswer> {
  const answer = withFolders(recorded, show);
  const gone = clientGoneSignal(response);
  const wait = async (milliseconds: number) => {
    if (speed !== undefined && milliseconds > 0) await pause(milliseconds / speed, gone);
  };
  await wait(answer.after);
  if (gone.aborted) return answer;
  response.writeHead(answer.status, headersOf(answer, speed));
  if (answer.events === undefined) {
    if (answer.cut === 'model') response.destroy();
    else response.end(bodyOf(answer));
    return answer;
  }
  const write = answer.form === 'aws-stream' ? awsFrame : streamText;
  if (speed === undefined) {
    const pieces = answer.events.map((event) => Buffer.from(write(event)));
    response.write(Buffer.concat(pieces));
  } else {
    response.flushHeaders();
    await paced(answer.events, wait, (event) => !gone.aborted && response.write(write(event)));
  }
  await end(response, answer.cut, gone);
  return answer;
}

async function paced(
  events: readonly StreamEvent[],
  wait: (milliseconds: number) => Promise<void>,
  send: (event: StreamEvent) => void,
): Promise<void> {
  let now = 0;
  for (const event of events) {
    await wait(event.at - now);
    now = event.at;
    send(event);
  }
}

/** A client that hung up does it again: until then, the answer stays open. */
async function end(response: ServerResponse, cut: RecordedAnswer['cut'], gone: AbortSignal): Promise<void> {
  if (cut === 'model') response.destroy();
  else if (cut === undefined) response.end();
  else if (!gone.aborted) await new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }));
}

function withFolders(answer: RecordedAnswer, show: (text: string) => string): RecordedAnswer {
  const { events, body } = answer;
  if (!JSON.stringify(events ?? body ?? '').includes('{{')) return answer;
  return {
    ...answer,
    ...(events === undefined ? {} : { events: mapStream(events, show) }),
    ...(body === undefined ? {} : { body: mapTexts(body, show) }),
  };
}

/** A client that has to wait waits only where the timing counts. */
function headersOf({ headers }: RecordedAnswer, speed: number | undefined): Record<string, string> {
  if (speed !== undefined) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name.startsWith('retry-after') ? '0' : value]),
  );
}

function bodyOf({ form, body }: RecordedAnswer): string | Buffer {
  if (form === 'json') return JSON.stringify(body);
  return form === 'base64' ? Buffer.from(String(body ?? ''), 'base64') : String(body ?? '');
}
