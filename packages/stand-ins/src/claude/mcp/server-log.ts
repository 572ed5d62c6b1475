import { appendFileSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectSlug } from '@understudy/agents';

/** Keeps what a server writes to stderr where the real CLI keeps it. */
export function createServerLog(name: string, cwd: string, env: NodeJS.ProcessEnv): (stderr: string) => void {
  const folder = join(env['HOME'] ?? homedir(), '.cache', 'claude-cli-nodejs', projectSlug(cwd), logFolder(name));
  const file = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}.jsonl`);
  return (stderr) => {
    const line = { error: `Server stderr: ${stderr}`, timestamp: new Date().toISOString(), cwd };
    try {
      mkdirSync(folder, { recursive: true });
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch {
      // A home that cannot be written must not keep a server from starting.
    }
  };
}

function logFolder(name: string): string {
  return `mcp-logs-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
}
