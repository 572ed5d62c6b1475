import { isObject, parseJson } from '@understudy/kit';
import { argumentReader } from './arguments.js';
import { FLAGS, MINOR_FLAGS } from './flags.js';

/** The prompt of a headless run: the first argument, what is piped in, or both. */
export function joinPrompt(argument: string | undefined, piped: string): string {
  return [argument, piped.replace(/\n$/, '')].filter((part) => part !== undefined && part !== '').join('\n');
}

const readArguments = argumentReader([...FLAGS, ...MINOR_FLAGS]);

/** The prompt of a call: of its words and what is piped in. */
export function promptOf(words: readonly string[], stdin: string): string {
  const { positional, flags } = readArguments(words);
  if (flags.get('--input-format')?.at(-1) === 'stream-json') return streamedPrompt(stdin);
  return joinPrompt(positional[0], stdin);
}

/** The texts of the user's messages, of which each is a line of JSON. */
function streamedPrompt(stdin: string): string {
  return stdin
    .split('\n')
    .map((line) => parseJson(line))
    .flatMap((line) => (isObject(line) && isObject(line['message']) ? [line['message']['content']] : []))
    .flatMap((content) => (Array.isArray(content) ? content.map((block) => isObject(block) && block['text']) : content))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
