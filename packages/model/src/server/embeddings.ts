import { isObject, type JsonObject } from '@understudy/kit';
import { hash32 } from './hash.js';
import { estimateTokens } from './wire/pieces.js';
import { MalformedRequest } from './wire/protocol.js';

const DIMENSIONS = 1536;
const MOST_DIMENSIONS = 8192;

/**
 * Embeddings in the shape of OpenAI's API. A script cannot say what a text means: equal texts have equal vectors, and
 * different texts have vectors that are far from each other.
 */
export function embeddingsOf(body: unknown): JsonObject {
  if (!isObject(body)) throw new MalformedRequest('the body must be a JSON object');
  const { input, model = 'scripted', dimensions = DIMENSIONS, encoding_format: format = 'float' } = body;
  const texts = textsOf(input);
  if (texts === undefined) throw new MalformedRequest('`input` must be a text, tokens, or a list of these');
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS)
    throw new MalformedRequest(`\`dimensions\` must be a whole number from 1 to ${MOST_DIMENSIONS}`);
  const tokens = texts.reduce((total, text) => total + estimateTokens(Buffer.byteLength(text)), 0);
  return {
    object: 'list',
    data: texts.map((text, index) => {
      const vector = vectorOf(text, dimensions);
      return { object: 'embedding', index, embedding: format === 'base64' ? base64Of(vector) : [...vector] };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A text, a list of tokens, or a list of either. */
function textsOf(input: unknown): string[] | undefined {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0) return undefined;
  if (input.every((one) => typeof one === 'number')) return [input.join(' ')];
  const texts = input.map((one) => (Array.isArray(one) ? one.join(' ') : one));
  return texts.every((one) => typeof one === 'string') ? texts : undefined;
}

/** A vector of length 1 that the text alone decides. */
function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  let seed = hash32(text) || 1;
  for (let index = 0; index < dimensions; index++) {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    vector[index] = (seed >>> 0) / 2 ** 31 - 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** As the client libraries ask for it: little-endian, as every machine that we run on has it. */
function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}
