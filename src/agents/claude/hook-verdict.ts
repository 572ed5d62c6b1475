import * as z from 'zod';

/** The events at which exit code 2 keeps something from happening. */
const BLOCKABLE = new Set([
  'PreToolUse',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'ConfigChange',
  'Elicitation',
  'ElicitationResult',
]);

const output = z.looseObject({
  continue: z.boolean().optional(),
  decision: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      decision: z.looseObject({ behavior: z.string().optional() }).optional(),
    })
    .optional(),
});

/** Did this hook keep something from happening: by exit code 2, or by what it printed? */
export function hookBlocks(event: string, exitCode: number | undefined, stdout: string): boolean {
  if (exitCode === 2) return BLOCKABLE.has(event);
  if (exitCode !== 0 && exitCode !== undefined) return false;
  const told = parseOutput(stdout);
  if (told === undefined) return false;
  return (
    told.continue === false ||
    told.decision === 'block' ||
    told.hookSpecificOutput?.permissionDecision === 'deny' ||
    told.hookSpecificOutput?.decision?.behavior === 'deny'
  );
}

function parseOutput(stdout: string): z.infer<typeof output> | undefined {
  const text = stdout.trim();
  if (!text.startsWith('{')) return undefined;
  try {
    return output.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
