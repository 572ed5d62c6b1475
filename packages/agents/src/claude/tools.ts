import { compareVersions } from '../compare-versions.js';
import { OLDER_TOOLS, TOOLS, TOOLS_WITH_A_HOST } from './facts/tools.js';

/** From here on the older tools are gone, or are there on request only. */
const WITHOUT_OLDER_TOOLS = '2.1.300';

/**
 * The value of `--tools`: what Claude Code offers by default, and Glob and Grep, which plugins name and some releases
 * leave out. A list replaces the default, so it must be complete; a release ignores the names that it does not know.
 * Each tool makes every request longer, so no more are named.
 */
export function offeredTools(version: string | undefined): string {
  const older = version !== undefined && compareVersions(version, WITHOUT_OLDER_TOOLS) < 0;
  // ToolSearch would hide the others behind a search.
  const usual = [...TOOLS, ...TOOLS_WITH_A_HOST].filter((name) => name !== 'ToolSearch');
  return [...usual, 'Glob', 'Grep', ...(older ? OLDER_TOOLS : [])].join(',');
}
