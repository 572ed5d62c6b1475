import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A plugin with one of everything: a command, an agent, hooks that watch and block, an MCP server. */
export function writeSamplePlugin(folder: string): string {
  const root = join(folder, 'sampler');
  const files: Record<string, string> = {
    '.claude-plugin/plugin.json': JSON.stringify({
      name: 'sampler',
      version: '1.0.0',
      description: 'one of everything',
    }),
    'commands/explore.md': '---\ndescription: Look around\n---\nSystematically investigate $ARGUMENTS.\n',
    'commands/plan.md': '---\ndescription: Plan\n---\nWrite an implementation plan for $ARGUMENTS.\n',
    'commands/code.md': '---\ndescription: Code\n---\nImplement the plan.\n',
    'commands/commit.md': '---\ndescription: Commit\n---\nCommit the work.\n',
    'agents/scout.md': '---\nname: scout\ndescription: looks around\ntools: Read\n---\nYou are the scout.\n',
    'hooks/hooks.json': JSON.stringify({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: 'echo ready' }] }],
        PreToolUse: [
          {
            matcher: 'Write',
            hooks: [{ type: 'command', command: 'grep -q secret.txt && { echo "hands off" >&2; exit 2; } || exit 0' }],
          },
        ],
        UserPromptSubmit: [
          { hooks: [{ type: 'command', command: 'grep -q forbidden && { echo "not that" >&2; exit 2; } || exit 0' }] },
        ],
      },
    }),
    '.mcp.json': JSON.stringify({
      mcpServers: { echo: { command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/echo-server.mjs'] } },
    }),
    'echo-server.mjs': ECHO_SERVER,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** The tool's name as Claude Code offers it. */
export const ECHO_TOOL = 'mcp__plugin_sampler_echo__say';

const ECHO_SERVER = `
import readline from 'node:readline';
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tools = [{ name: 'say', description: 'says it back', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') write({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } } });
  else if (method === 'tools/list') write({ id, result: { tools } });
  else if (method === 'tools/call') write({ id, result: { content: [{ type: 'text', text: 'the server says ' + params.arguments.text }] } });
  else write({ id, result: {} });
});
`;
