/** What a model costs, in dollars per million tokens, and how much it takes. */
export interface ModelCard {
  id: string;
  name: string;
  inputPrice: number;
  outputPrice: number;
  contextWindow: number;
  maxOutputTokens: number;
}

const large = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };

const CARDS: readonly ModelCard[] = [
  { id: 'claude-opus-5-5', name: 'Opus 5.5', inputPrice: 4, outputPrice: 20, ...large },
  { id: 'claude-sonnet-5-5', name: 'Sonnet 5.5', inputPrice: 2, outputPrice: 10, ...large },
  { id: 'claude-haiku-5-5', name: 'Haiku 5.5', inputPrice: 0.1, outputPrice: 0.5, ...large },
  { id: 'claude-fable-5-2', name: 'Fable 5.2', inputPrice: 8, outputPrice: 40, ...large },
  {
    id: 'claude-sonnet-4-5',
    name: 'Sonnet 4.5',
    inputPrice: 3,
    outputPrice: 15,
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
  },
];

const ALIASES: Record<string, string> = {
  default: 'claude-opus-5-5',
  best: 'claude-opus-5-5',
  opus: 'claude-opus-5-5',
  opusplan: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
};

export const DEFAULT_MODEL = 'claude-opus-5-5';

/** The models that a user can pick by a short name. */
export const MODEL_ALIASES: readonly string[] = [
  ...['sonnet', 'opus', 'haiku', 'fable', 'best', 'sonnet[1m]', 'opus[1m]', 'fable[1m]', 'opusplan', 'default'],
];

/** The full name behind an alias; any other name is taken as it is. */
export function resolveModel(name: string): string {
  const short = name.replace(/\[1m\]$/, '');
  return ALIASES[short.toLowerCase()] ?? short;
}

/** The models that plan in place of those that were chosen by these names. */
const PLANNERS: Record<string, string> = { haiku: 'claude-sonnet-5-5', opusplan: 'claude-opus-5-5' };

/** The model that answers, when a model was chosen by this name. */
export function answeringModel(name: string, isPlanning: boolean): string {
  return (isPlanning ? PLANNERS[name] : undefined) ?? resolveModel(name);
}

/** How the CLI names a model that was chosen by this name. */
export function modelLabel(name: string): string {
  return name === 'opusplan' ? 'Opus in plan mode, else Sonnet' : modelCard(resolveModel(name)).name;
}

const KNOWN_MODEL =
  /^claude-(3(-[57])?-(opus|sonnet|haiku)|(opus|sonnet|haiku|fable)-([34](-\d)?|5(-[0-5])?))(-\d{8})?$/;

/** Whether a model is older than those that the aliases name. */
export function isOlderModel(id: string): boolean {
  return /^claude-(3|\w+-[34])\b/.test(id);
}

/** Whether the CLI has heard of this model; it warns about others. */
export function isKnownModel(id: string): boolean {
  return KNOWN_MODEL.test(id);
}

/** A model nobody knows is billed as the default one, as the real CLI does. */
export function modelCard(id: string): ModelCard {
  const known = CARDS.find((card) => card.id === id || id.startsWith(`${card.id}-`));
  if (known !== undefined) return { ...known, id };
  return { id, name: id, inputPrice: 4, outputPrice: 20, contextWindow: 1_000_000, maxOutputTokens: 32_000 };
}
