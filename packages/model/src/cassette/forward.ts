import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isObject, parseJson } from '@understudy/kit';
import { decoded } from '../server/request-body.js';
import { AwsStreamReader } from './aws-stream.js';
import type { RecordedAnswer } from './format.js';
import { StreamReader } from './stream.js';

/** What is asked of the real API. */
export interface Forwarded {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Headers of an answer that clients act on, and that are no secret. */
const KEPT_HEADER = /^(?:content-type|retry-after(?:-ms)?|x-should-retry|(?:anthropic|x)-ratelimit-[a-z-]+)$/;
const HOP_HEADER = /^(?:connection|keep-alive|transfer-encoding|proxy-.+|trailer|upgrade)$/;
const LONGEST_BODY = 64 * 1024 * 1024;

/** Passes a request on and its answer back, as it comes, and gives the answer as it is recorded. */
export function forward({ url, method, headers, body }: Forwarded, response: ServerResponse): Promise<RecordedAnswer> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const asked = send(url, {
      method,
      headers: { ...headers, ...(body.length > 0 ? { 'content-length': body.length } : {}) },
    });
    let hungUp = false;
    const onClose = () => {
      if (response.writableFinished) return;
      hungUp = true;
      asked.destroy();
    };
    response.once('close', onClose);
    asked.once('error', (error) => {
      response.off('close', onClose);
      reject(error);
    });
    asked.once('response', (answer) => {
      const after = since();
      // It has begun: what goes wrong from here on is part of the answer.
      asked.removeAllListeners('error');
      asked.on('error', () => {});
      response.writeHead(answer.statusCode ?? 502, passedHeaders(answer));
      response.flushHeaders();
      const reader = readerFor(answer);
      answer.on('data', (chunk: Buffer) => {
        reader.push(chunk, since() - after);
        if (response.destroyed || response.write(chunk)) return;
        answer.pause();
        response.once('drain', () => answer.resume());
      });
      answer.once('error', () => {});
      answer.once('close', () => {
        response.off('close', onClose);
        const cut = hungUp ? 'client' : answer.complete ? undefined : 'model';
        if (cut === 'model') response.destroy();
        else response.end();
        resolve({
          status: answer.statusCode ?? 0,
          headers: keptHeaders(answer),
          after,
          ...reader.end(since() - after),
          ...(cut === undefined ? {} : { cut }),
        });
      });
    });
    asked.end(body);
  });
}

interface BodyReader {
  push(chunk: Buffer, at: number): void;
  end(at: number): Pick<RecordedAnswer, 'form' | 'events' | 'body'>;
}

function readerFor({ headers }: IncomingMessage): BodyReader {
  const type = headers['content-type'] ?? '';
  const isPlain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity';
  if (isPlain && type.includes('text/event-stream')) {
    const reader = new StreamReader();
    return { push: (chunk, at) => reader.push(chunk, at), end: (at) => ({ form: 'stream', events: reader.end(at) }) };
  }
  if (isPlain && type.includes('vnd.amazon.eventstream')) {
    const reader = new AwsStreamReader();
    return { push: (chunk, at) => reader.push(chunk, at), end: () => ({ form: 'aws-stream', events: reader.end() }) };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      size += chunk.length;
      if (size <= LONGEST_BODY) chunks.push(chunk);
    },
    end: () => wholeBody(Buffer.concat(chunks), headers['content-encoding'], type),
  };
}

function wholeBody(bytes: Buffer, encoding: string | undefined, type: string): Pick<RecordedAnswer, 'form' | 'body'> {
  const plain = decoded(bytes, encoding, LONGEST_BODY);
  const text = plain.toString('utf8');
  const json = parseJson(text);
  if (isObject(json) || Array.isArray(json)) return { form: 'json', body: json };
  if (/^text\/|json|xml/.test(type) || text === '') return { form: 'text', body: text };
  return { form: 'base64', body: plain.toString('base64') };
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADER.test(name) ? [] : [[name, value] as const],
    ),
  );
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || !KEPT_HEADER.test(name) ? [] : [[name, String(value)] as const],
    ),
  );
}
