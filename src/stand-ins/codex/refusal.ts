/** Ends the run with Codex's own words. */
export class Refusal extends Error {}

/** Something that the real Codex does and the stand-in does not. */
export class Unsupported extends Error {}
