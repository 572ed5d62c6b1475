/** Something that the real CLI does and a stand-in refuses, as a rehearsal that asks for it. */
export interface Row {
  capability: string;
  /** A whole rehearsal, as JSON. */
  rehearsal: object;
  /** More files beside it. */
  files?: Record<string, string>;
}
