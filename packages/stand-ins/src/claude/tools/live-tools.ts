import type { LiveTool } from './live-tool.js';

/** Each tool is loaded when a session first uses it. */
const LOADERS: Record<string, () => Promise<LiveTool>> = {
  Bash: async () => (await import('./bash.js')).bash,
  Read: async () => (await import('./read.js')).read,
  Write: async () => (await import('./write.js')).write,
  Edit: async () => (await import('./edit.js')).edit,
  Glob: async () => (await import('./glob.js')).glob,
  Grep: async () => (await import('./grep.js')).grep,
};

export async function liveTool(name: string): Promise<LiveTool | undefined> {
  return LOADERS[name]?.();
}

/** The tools that the stand-in really runs. */
export const LIVE_TOOLS: readonly string[] = Object.keys(LOADERS);
