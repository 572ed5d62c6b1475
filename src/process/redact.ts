/** Names of variables whose values nobody may see. */
const SECRET_NAME = /key|token|secret|passw|credential|auth(?!or)/i;

/** What keys look like, wherever they come from. */
const SECRET_SHAPES = [
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{8,}/g,
  /\bksk_[A-Za-z0-9_-]{4,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abpr]-[A-Za-z0-9-]{10,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/=-]{12,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

const HIDDEN = '[secret]';
const SHORTEST = 6;

/** Takes secrets out of texts: the values of the given environment's keys, and whatever looks like a key. */
export function redactor(environment: NodeJS.ProcessEnv): (text: string) => string {
  const values = Object.entries(environment)
    .flatMap(([name, value]) =>
      SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST ? [value] : [],
    )
    // A value may hold another one: the longer goes first.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, HIDDEN);
    for (const shape of SECRET_SHAPES) clean = clean.replace(shape, HIDDEN);
    return clean;
  };
}

/** Like `redactor`, over all texts of a value. */
export function redactAll<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((entry) => redactAll(entry, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [redact(key), redactAll(entry, redact)])) as T;
}
