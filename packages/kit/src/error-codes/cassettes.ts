/** Recordings of real models. */
export const cassetteCodes = {
  CASSETTE_MISSING: {
    meaning: 'There is no cassette to replay.',
    fix: 'Record it: `understudy run --stage live --record` (or `e2e`), or `understudy record -o FILE -- COMMAND`.',
  },
  CASSETTE_INVALID: {
    meaning: 'A file is not a cassette, or one of its lines is damaged.',
    fix: 'Record it again, or repair the line that the message names.',
  },
  CASSETTE_NEWER: {
    meaning: 'A cassette was written by a newer version of Understudy.',
    fix: 'Update Understudy, or record the cassette again.',
  },
  CASSETTE_CUT: {
    meaning: 'The recorder of a cassette was killed, so what came last may be missing.',
    fix: 'Record the cassette again.',
  },
  CASSETTE_SECRET: {
    meaning: 'What was to be written into a cassette still has a secret in it. It was not written.',
    fix: 'Keep the secret out of prompts, files and tool results, then record again.',
  },
  CASSETTE_IMPORT: {
    meaning: 'A file of another tool cannot be read as a recording.',
    fix: 'Check that the file is what the message says, and whole.',
  },
  CASSETTE_EDIT: {
    meaning: 'A cassette cannot be changed in this way.',
    fix: 'Correct the option that the message names.',
  },
  RECORD_NO_UPSTREAM: {
    meaning: 'The recorder does not know where to send a request.',
    fix: 'Set the key of the API, such as ANTHROPIC_API_KEY, and its address if it is not the usual one.',
  },
  RECORD_NOT_LIVE: {
    meaning: '`--record` was asked for on a stage that has no real model.',
    fix: 'Use `--stage live --record`; or `--stage replay --record`, which records what has no cassette yet.',
  },
} as const;
