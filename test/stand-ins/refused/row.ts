/** What a stand-in refuses: a rehearsal that asks for it. */
export interface Row {
  /** As it stands in the table of the stand-in. */
  capability: string;
  /** A whole rehearsal, as JSON. It is red on sim, by the refusal, and green on the real CLI. */
  rehearsal: Record<string, unknown>;
  /** Files beside the rehearsal. */
  files?: Record<string, string>;
  /** Why the real CLI cannot show it here: it would need a network, an account or a terminal. */
  onlySim?: string;
}
