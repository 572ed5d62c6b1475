import { escapeAngles, toolName } from '@understudy/agents';
import { shortenLine } from '@understudy/kit';
import type { DeclaredText, Issue } from './declared/component.js';
import type { LoadedState } from './loaded/loaded-state.js';

const ALL_TOOLS = 'All tools';

/** Does the model get of it what its file declares: the description, and the tools of an agent? */
export function compareListed(
  plugin: string,
  text: DeclaredText,
  loaded: { name: string; description?: string | undefined },
  { listedAgents }: Pick<LoadedState, 'listedAgents'>,
): Issue | undefined {
  const agent = text.kind === 'agent' ? listedAgents.get(loaded.name) : undefined;
  return (
    otherDescription(text, withoutPlugin(plugin, agent?.description ?? loaded.description)) ??
    (agent === undefined ? undefined : otherTools(text, agent.tools))
  );
}

function otherDescription({ description, file }: DeclaredText, told: string | undefined): Issue | undefined {
  if (description === undefined || told === undefined) return undefined;
  // The CLI escapes angle brackets of skills and commands.
  if (sameText(description, told) || sameText(escapeAngles(description), told)) return undefined;
  return {
    reason: `its description says "${shortenLine(description, 60)}", and the CLI shows "${shortenLine(told, 60)}"`,
    fix: `Simplify the front matter of ${file}: the CLI reads it in another way.`,
  };
}

/** A long description may be cut, and a skill's has more behind it (`when_to_use`). */
function sameText(declared: string, told: string): boolean {
  const plain = (text: string): string => text.replaceAll('\\n', ' ').replace(/\s+/g, ' ').trim();
  const [ours, theirs] = [plain(declared), plain(told)];
  return theirs.startsWith(ours) || ours.startsWith(theirs.replace(/(?:…|\.\.\.)$/, ''));
}

function otherTools({ tools, file }: DeclaredText, told: string): Issue | undefined {
  if (tools === undefined || tools.length === 0 || tools.includes('*')) return undefined;
  const missing = tools.filter((tool) => !told.includes(tool) && !told.includes(toolName(tool)));
  if (missing.length === 0 && told !== ALL_TOOLS) return undefined;
  return {
    reason: `it declares the tools ${tools.join(', ')}, and the CLI gives it ${told}`,
    fix: `Write "tools: ${tools.join(', ')}" on one line of the front matter of ${file}.`,
  };
}

function withoutPlugin(plugin: string, description: string | undefined): string | undefined {
  const start = `(${plugin}) `;
  return description?.startsWith(start) === true ? description.slice(start.length) : description;
}
