/** What Claude Code says, once for each prompt, to a model that has said nothing. */
export const NO_OUTPUT =
  '[Your previous response had no visible output. Please continue and produce a user-visible response.]';
