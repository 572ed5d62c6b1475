const METHODS = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/read', 'resources/list', 'prompts/get'],
  ...['completion/complete', 'notifications/cancelled', 'notifications/progress', 'server/discover', 'no/such/method'],
  ...[
    '',
    '__proto__',
    'constructor',
    'toString',
    'logging/setLevel',
    'subscriptions/listen',
    'notifications/initialized',
  ],
];
const ODD: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, '', 'x', '\u0000', '\ud800', '../../etc/passwd', [], {}, [[]], [null]],
  ...[{ __proto__: 1 }, { constructor: { prototype: {} } }, { length: -1 }, 'a'.repeat(5000), Array(200).fill(0)],
];
const TOOLS = [
  'assert_contains_keywords',
  'get_response',
  'end_conversation',
  'create_sample_files',
  'no_such_tool',
  '',
];

/** A value that nobody expects, sometimes within others. */
export function oddValue(random: () => number): unknown {
  const kind = random();
  if (kind < 0.1) return [oddValue(random), oddValue(random)];
  if (kind < 0.2) return { [random() < 0.5 ? 'type' : 'name']: oddValue(random) };
  return ODD[Math.floor(random() * ODD.length)];
}

/** One message that no client should send: broken JSON, or JSON that is no proper message. */
export function malformedMessage(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const message: Record<string, unknown> = {
    jsonrpc: random() < 0.7 ? '2.0' : pick(ODD),
    id: random() < 0.5 ? `fuzz-${Math.floor(random() * 1e9)}` : pick(ODD),
    method: random() < 0.8 ? pick(METHODS) : pick(ODD),
    params:
      random() < 0.5 ? pick(ODD) : { name: pick(TOOLS), arguments: pick(ODD), uri: pick(ODD), requestId: pick(ODD) },
  };
  for (const key of Object.keys(message)) if (random() < 0.1) delete message[key];
  if (random() < 0.1) message['result'] = pick(ODD);
  if (random() < 0.1) message['error'] = pick(ODD);
  if (random() < 0.1) message['_meta'] = pick(ODD);
  const text = JSON.stringify(message);
  const kind = random();
  if (kind < 0.15) return text.slice(0, Math.floor(random() * text.length));
  if (kind < 0.25) return damaged(text, random);
  if (kind < 0.32) return JSON.stringify(Array.from({ length: 3 }, () => message));
  if (kind < 0.36) return `${'['.repeat(200)}${text}${']'.repeat(200)}`;
  if (kind < 0.4) return JSON.stringify(pick(ODD)) ?? '';
  return text;
}

/** Some characters are others now. */
function damaged(text: string, random: () => number): string {
  const characters = [...text];
  for (let count = 0; count < 5; count++) {
    characters[Math.floor(random() * characters.length)] = String.fromCharCode(32 + Math.floor(random() * 95));
  }
  return characters.join('');
}
