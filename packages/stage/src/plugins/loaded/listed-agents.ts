/** What the model's tool list says of an agent. */
export interface ListedAgent {
  description: string;
  /** `Read, Grep`, or `All tools`. */
  tools: string;
}

/** Finds what the tool list of a request says of these agents: `- name: description (Tools: Read, Grep)`. */
export function listedAgents(requests: readonly unknown[], names: readonly string[]): Map<string, ListedAgent> {
  const texts = requests.flatMap(textsOf);
  return new Map(
    names.flatMap((name) => {
      const told = texts.map((text) => readAgent(text, name)).find((agent) => agent !== undefined);
      return told === undefined ? [] : [[name, told] as const];
    }),
  );
}

function readAgent(text: string, name: string): ListedAgent | undefined {
  const start = `- ${name}: `;
  const at = text.indexOf(start);
  if (at === -1) return undefined;
  const rest = text.slice(at + start.length);
  const end = / \(Tools: (.*)\)(?:\n|$)/.exec(rest);
  return end === null ? undefined : { description: rest.slice(0, end.index), tools: end[1] ?? '' };
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
