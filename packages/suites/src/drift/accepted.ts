import ownDifferences from './accepted-differences.json' with { type: 'json' };

export interface Accepted {
  /** The case that it is about; any, when absent. */
  case?: string;
  /** The difference, in which `*` stands for anything in the name of an event or field, never in a value. */
  difference: string;
  reason: string;
}

/** The differences that we accept, each with its reason. */
export class AcceptedDifferences {
  readonly all: readonly Accepted[];
  readonly #met = new Set<Accepted>();

  /** Without a list: those between the Claude Code of the pinned version and its stand-in. */
  constructor(all: readonly Accepted[] = ownDifferences) {
    this.all = all;
  }

  /** The differences of a case that nobody has accepted. */
  unaccepted(name: string, differences: readonly string[]): string[] {
    return differences.filter((difference) => !this.#isAccepted(name, difference));
  }

  /** Those that have not occurred. What only generated invocations show depends on the seed. */
  get unmet(): string[] {
    const lasting = this.all.filter(({ case: name = '' }) => !name.startsWith('generated'));
    return lasting.filter((one) => !this.#met.has(one)).map(({ difference }) => difference);
  }

  #isAccepted(name: string, difference: string): boolean {
    const found = this.all.filter(
      (one) => (one.case === undefined || matches(one.case, name)) && matches(one.difference, difference),
    );
    for (const one of found) this.#met.add(one);
    return found.length > 0;
  }
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(text);
}
