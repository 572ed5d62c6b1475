import { estimateTokens } from '@understudy/model';
import type { Message } from '@understudy/script';

/** The tokens of one answer of the model. */
export interface StepUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

/** What an answer costs that no script says: as much as the scripted model server lets it cost. */
export function plainUsage(text: string): StepUsage {
  return { input: 1, output: estimateTokens(text.length), cacheRead: 0, cacheCreation: 0 };
}

/** What an answer costs: as the scenario says, or estimated as the scripted model server does. */
export function usageOf(
  { blocks, usage = {} }: Message,
  inputLength: number,
  toolInputs: readonly Record<string, unknown>[],
): StepUsage {
  const said = blocks.flatMap((block) => (block.type === 'tool_use' ? [] : [block.text.length]));
  const called = toolInputs.map((input) => JSON.stringify(input).length);
  return {
    input: usage.input_tokens ?? estimateTokens(inputLength),
    output: usage.output_tokens ?? [...said, ...called].reduce((sum, length) => sum + estimateTokens(length), 0),
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheCreation: usage.cache_creation_input_tokens ?? 0,
  };
}
