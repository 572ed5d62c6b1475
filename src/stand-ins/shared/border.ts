/** On which side of its border a stand-in has something: it acts, it has no effect in a rehearsal, or it is refused by name. */
export type Side = 'played' | 'ignored' | 'refused';

export type CapabilityKind =
  | 'flag'
  | 'subcommand'
  | 'tool'
  | 'hook event'
  | 'hook type'
  | 'control request'
  | 'setting';

/** What a stand-in owes and what not. It is made of the lists that the stand-in itself uses. */
export interface Border {
  /** The CLI in whose place it stands. */
  cli: string;
  names: Partial<Record<CapabilityKind, Partial<Record<Side, readonly string[]>>>>;
  /** What it says of the rest that it refuses. */
  sentences: readonly string[];
}
