/** The plugin that something comes from. */
export interface PluginOrigin {
  /** With where it comes from: `demo@shop`, `demo@inline`. */
  id: string;
  /** What stands before the names of its commands and agents. */
  name: string;
  root: string;
}

/** The id of a plugin that `--plugin-dir` names. */
export function inlineId(name: string): string {
  return `${name}@inline`;
}
