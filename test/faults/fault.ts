import type { Copy } from './copy.js';

export type RehearsedStage = 'sim' | 'scripted';

/** Something wrong in a plugin or in a rehearsal, and what must find it. */
export interface Fault {
  /** Plants it into a copy of its own. */
  plant: (copy: Copy) => void;
  /** The rehearsals that must fail, each with a check that must be among the failed ones, or with an error's code. */
  red: Record<string, string>;
  /** Neighbors that must stay green. */
  green?: string[];
  /** A stage that cannot show it, and why. */
  unseen?: Partial<Record<RehearsedStage, string>>;
}

/** Something unusual that is no fault: it must stay green. */
export interface Sound {
  plant: (copy: Copy) => void;
  green: string[];
  unseen?: Partial<Record<RehearsedStage, string>>;
}

/** Faults and sound changes by what they are, of one folder. */
export interface Catalogue {
  /** One word for the table. */
  subject: string;
  base: string;
  faults: Record<string, Fault>;
  sound: Record<string, Sound>;
}
