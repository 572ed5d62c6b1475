import { writingsOf } from './secret-writings.js';

/** Names of variables whose values nobody may see. */
const SECRET_NAME = /key|token|secret|passw|credential|auth(?!or)/i;

/** What keys look like, wherever they come from. No repeat is endless: the stack of the regex engine is not. */
const SECRET_SHAPES = [
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{8,65536}/g,
  /\bksk_[A-Za-z0-9_-]{4,65536}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,65536}/g,
  /\bya29\.[A-Za-z0-9_-]{20,65536}/g,
  /\bglpat-[A-Za-z0-9_-]{16,65536}/g,
  /\b(?:npm|hf)_[A-Za-z0-9]{30,65536}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,65536}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,65536}/g,
  /\bAIza[A-Za-z0-9_-]{30,65536}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abpr]-[A-Za-z0-9-]{10,65536}/g,
  /\beyJ[A-Za-z0-9_-]{10,65536}\.[A-Za-z0-9_-]{10,65536}\.[A-Za-z0-9_-]{1,65536}/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/=-]{12,65536}/gi,
  /(?<=\bBasic\s+)[A-Za-z0-9+/]{12,65536}={0,2}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,65536}?-----END [A-Z ]*PRIVATE KEY-----/g,
];

const HIDDEN = '[secret]';
const SHORTEST = 6;

/** Text that may be Base64, also in lines, as `base64` writes it. */
const BASE64 = /[A-Za-z0-9+/_-]{12,65536}(?:\r?\n[A-Za-z0-9+/_-]{1,1024}){0,1024}={0,2}/g;

/**
 * Takes secrets out of texts: the values of the given environment's keys, and whatever looks like a key; in Base64, too.
 * `also` takes out more.
 */
export function redactor(environment: NodeJS.ProcessEnv, also?: (text: string) => string): (text: string) => string {
  const values = secretValues(environment);
  if (also !== undefined) return redactorOf(values, also);
  const key = values.join('\0');
  const made = redactors.get(key) ?? remembering(redactorOf(values, (text) => text));
  if (redactors.size >= KEPT_REDACTORS) redactors.clear();
  redactors.set(key, made);
  return made;
}

/** By the secrets that they know: a run asks for the same ones again and again, and what was looked at stays known. */
const redactors = new Map<string, (text: string) => string>();
const KEPT_REDACTORS = 4;

function redactorOf(values: readonly string[], also: (text: string) => string): (text: string) => string {
  const written = values.flatMap(writingsOf);
  return (text) => {
    let clean = text;
    for (const writing of written) clean = clean.replaceAll(writing, HIDDEN);
    for (const shape of SECRET_SHAPES) clean = clean.replace(shape, HIDDEN);
    return also(clean).replace(BASE64, (encoded) => (holdsSecret(encoded, values, also) ? HIDDEN : encoded));
  };
}

const REMEMBERED_TEXTS = 4096;
const REMEMBERED_LENGTH = 32_768;
const REMEMBERED_LETTERS = 4 * 1024 * 1024;

/** An agent sends the same prompts, tools and names with every request: each is looked at once. */
function remembering(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  let letters = 0;
  return (text) => {
    if (text.length < SHORTEST) return text;
    if (text.length > REMEMBERED_LENGTH) return redact(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const clean = redact(text);
    if (known.size >= REMEMBERED_TEXTS || letters > REMEMBERED_LETTERS) {
      known.clear();
      letters = 0;
    }
    letters += text.length;
    known.set(text, clean === text ? text : clean);
    return clean;
  };
}

/** The values of the variables that nobody may see. A value may hold another one: the longer goes first. */
export function secretValues(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment)
    .flatMap(([name, value]) =>
      SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST ? [value] : [],
    )
    .sort((a, b) => b.length - a.length);
}

/** What is within may be Base64 again. */
function holdsSecret(encoded: string, values: readonly string[], also: (text: string) => string, depth = 2): boolean {
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  return (
    values.some((value) => text.includes(value)) ||
    SECRET_SHAPES.some((shape) => text.search(shape) !== -1) ||
    also(text) !== text ||
    (depth > 1 && (text.match(BASE64) ?? []).some((inner) => holdsSecret(inner, values, also, depth - 1)))
  );
}

/** Like `redactor`, over all texts of a value. */
export function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((entry) => redactAll(entry, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [redact(key), redactAll(entry, redact)])) as T;
}
