import type { UntrustedFolder } from '@understudy/kit';
import * as z from 'zod/mini';
import { readCommandTags } from './client/command-tags.js';
import { knownBlocks, userSchema } from './wire.js';

const record = z.looseObject({
  ...userSchema.shape,
  isMeta: z.optional(z.boolean()),
  promptId: z.optional(z.string()),
});

/** The text that the newest command of this name and these arguments became: the next entry of the same prompt. */
export function lastExpansion(
  home: UntrustedFolder,
  file: string,
  { name, args }: { name: string; args?: string | undefined },
): string | undefined {
  const lines = home.text(file)?.split('\n') ?? [];
  const entries = lines.flatMap((line) => {
    if (!line.includes('"type":"user"')) return [];
    try {
      const parsed = record.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
  const at = entries.findLastIndex((entry) => {
    const command = readCommandTags(textOf(entry));
    return command?.name === name && (args === undefined || command.args.trim() === args.trim());
  });
  const command = entries[at];
  const body = command && entries[at + 1];
  if (body?.isMeta !== true || body.promptId !== command?.promptId) return undefined;
  return textOf(body);
}

function textOf(entry: z.infer<typeof record>): string {
  return knownBlocks(entry.message.content)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}
