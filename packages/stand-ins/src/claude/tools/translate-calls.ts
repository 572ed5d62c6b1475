import { resolve } from 'node:path';
import {
  type Block,
  type GenericTool,
  genericFor,
  type Message,
  toAgentArguments,
  toGenericArguments,
} from '@understudy/script';
import { liveTool } from './live-tools.js';

/** Claude Code's names of the generic tools. */
const OWN: Record<GenericTool, string> = {
  shell: 'Bash',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
};

/** Claude Code's name of a tool that the scenario may call by any agent's name. */
export function ownName(tool: string): string {
  const generic = genericFor(tool);
  return generic === undefined ? tool : OWN[generic];
}

/** Translates the tool calls of a message into Claude Code's names. The scenario may use any agent's names. */
export async function translateCalls(message: Message, cwd: string): Promise<Message> {
  return { ...message, blocks: await Promise.all(message.blocks.map((block) => translateBlock(block, cwd))) };
}

async function translateBlock(block: Block, cwd: string): Promise<Block> {
  if (block.type !== 'tool_use') return block;
  const generic = genericFor(block.tool);
  if (generic === undefined || OWN[generic] === block.tool) return block;
  const plain = toGenericArguments(block.input);
  // A scenario does not know its folder, and the tools of the real CLI get absolute paths.
  if (typeof plain['path'] === 'string' && generic !== 'shell') plain['path'] = resolve(cwd, plain['path']);
  const tool = OWN[generic];
  const parameters = Object.entries((await liveTool(tool))?.parameters ?? {});
  const required = parameters.flatMap(([name, { required }]) => (required === true ? [name] : []));
  const input = toAgentArguments(plain, { properties: new Set(parameters.map(([name]) => name)), required });
  return { ...block, tool, input };
}
