/** Ends the run with OpenCode's own words. */
export class Refusal extends Error {}

/** Something that the real OpenCode does and the stand-in does not. */
export class Unsupported extends Error {}
