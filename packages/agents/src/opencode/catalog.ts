import { isObject, type JsonObject, parseJson } from '@understudy/kit';

type Catalog = Record<string, { id: string; name: string; env: string[]; npm: string; models: JsonObject }>;

interface PrintedModel {
  id: string;
  providerID: string;
  name: string;
  family?: string;
  api: { npm: string };
  status?: string;
  cost?: { input: number; output: number; cache?: { read: number; write: number } };
  limit: JsonObject;
  capabilities: { temperature: boolean; reasoning: boolean; attachment: boolean; toolcall: boolean } & Record<
    'input' | 'output',
    Record<string, boolean>
  >;
  release_date: string;
  variants?: JsonObject;
}

/** How the SDKs speak that our server understands, word by word. The others (OpenRouter, Groq) speak like OpenAI. */
const SPOKEN: ReadonlySet<string> = new Set(['@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/google']);
const LIKE_OPENAI = '@ai-sdk/openai-compatible';

/**
 * A catalog of models, of what `opencode models --verbose` prints: for each model its name, and its facts as JSON. The one
 * that OpenCode brings along has all models of all providers, and reading it is half of a start.
 */
export function catalogOf(printed: string): Catalog {
  const catalog: Catalog = {};
  for (const [text] of printed.matchAll(/^\{\n[\s\S]*?^\}$/gm)) {
    const model = parseJson(text);
    if (!isModel(model)) continue;
    const { providerID: id, api } = model;
    const npm = SPOKEN.has(api.npm) ? api.npm : LIKE_OPENAI;
    catalog[id] ??= { id, name: id, env: [], npm, models: {} };
    catalog[id].models[model.id] = { ...entryOf(model), provider: { npm } };
  }
  return catalog;
}

function isModel(value: unknown): value is PrintedModel {
  return (
    isObject(value) &&
    typeof value['providerID'] === 'string' &&
    isObject(value['api']) &&
    isObject(value['capabilities'])
  );
}

function entryOf({
  id,
  name,
  family,
  status,
  cost,
  limit,
  capabilities,
  release_date,
  variants = {},
}: PrintedModel): JsonObject {
  const { temperature, reasoning, attachment, toolcall, input, output } = capabilities;
  return {
    ...{ id, name, family, release_date, attachment, reasoning, temperature, limit, tool_call: toolcall },
    ...(status === 'active' ? {} : { status }),
    reasoning_options: [{ type: 'effort', values: Object.keys(variants) }],
    modalities: { input: kindsOf(input), output: kindsOf(output) },
    ...(cost === undefined
      ? {}
      : {
          cost: {
            input: cost.input,
            output: cost.output,
            cache_read: cost.cache?.read,
            cache_write: cost.cache?.write,
          },
        }),
  };
}

function kindsOf(kinds: Record<string, boolean>): string[] {
  return Object.keys(kinds).filter((kind) => kinds[kind]);
}
