import { isBrokenMatcher, isToolEvent, matcherCovers, matcherNames, matcherSubjectsOf } from '@understudy/agents';
import { nearestWord } from '@understudy/kit';
import type { Issue } from './component.js';

/** What is wrong with a matcher: it is dead (`issue`), or may be (`note`). */
export interface MatcherFinding {
  issue?: Issue;
  note?: string;
}

/**
 * Looks for a matcher that never fits. A name that is similar to a known one is a mistake; one that is not may belong
 * to a release that we do not know. What comes from MCP servers, and what plugins and projects bring, is not judged.
 */
export function lookAtMatcher(event: string, matcher: string): MatcherFinding {
  const { known, list } = matcherSubjectsOf(event) ?? { known: [], list: 'open' };
  if (known.length === 0 || isBrokenMatcher(matcher) || /mcp/i.test(matcher)) return {};
  const covers = (pattern: string): boolean => known.some((subject) => matcherCovers(pattern, subject));
  const names = matcherNames(matcher);
  const dead = (names ?? [matcher.trim()]).filter((name) => name !== '' && !covers(name));
  if (dead.length === 0) return {};
  const what = isToolEvent(event) ? 'tool' : `value for ${event}`;
  const near = dead.map((name) => [name, nearestOf(name, names, known)] as const);
  const mistake = near.find(([, similar]) => similar !== undefined && !covered(matcher, similar));
  const [name = '', similar] = mistake ?? near[0] ?? [];
  const reason = `its matcher ${JSON.stringify(matcher)} never fits: there is no ${what} ${JSON.stringify(name)}`;
  const isAlive = dead.length < (names?.length ?? 1);
  if (list === 'closed' && similar !== undefined && mistake !== undefined) {
    return { issue: { reason: isAlive ? partly(matcher, what, name) : reason, fix: `Did you mean ${similar}?` } };
  }
  if (list === 'closed' && !isToolEvent(event) && !isAlive) {
    return { issue: { reason, fix: `Use one of ${known.join(', ')}, or * for all.` } };
  }
  if (list === 'open' && similar === undefined) return {};
  const about = similar === undefined ? '' : `; did you mean ${similar}?`;
  return { note: `its matcher names ${JSON.stringify(name)}, and we know no such ${what}${about}` };
}

function partly(matcher: string, what: string, name: string): string {
  return `a part of its matcher ${JSON.stringify(matcher)} never fits: there is no ${what} ${JSON.stringify(name)}`;
}

/** In a regular expression, the words in it are looked at. */
function nearestOf(name: string, names: readonly string[] | undefined, known: readonly string[]): string | undefined {
  const words = names === undefined ? (name.match(/[A-Za-z_]{3,}/g) ?? []) : [name];
  return words.map((word) => nearestWord(word, known)).find((word) => word !== undefined);
}

/** `Bash|bash` covers what is meant. */
function covered(matcher: string, similar: string | undefined): boolean {
  return similar !== undefined && matcherCovers(matcher, similar);
}
