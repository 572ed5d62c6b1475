import { FileText } from './file-reference.js';
import type { Captures } from './linear-regex.js';
import type { Prompt } from './prompt.js';

/** The values for placeholders: the prompt, the groups of the pattern, the tool results. */
export interface TemplateContext {
  prompt: Prompt;
  captures: Captures;
  results?: string;
}

/** Placeholders that always exist. Groups of the pattern are added to them. */
export const TEMPLATE_NAMES = ['prompt', 'command', 'args', 'cwd', 'model', 'agent', 'results'] as const;

const REFERENCE = /\{\{\s*(\w+)\s*\}\}/g;

/** Every `{{name}}` of a text. */
export function templateReferences(text: string): string[] {
  return text.includes('{{') ? [...text.matchAll(REFERENCE)].map((match) => match[1] ?? '') : [];
}

/** Fills placeholders such as `{{1}}` and `{{prompt}}`. An unknown one stays literal. */
export function fillTemplate(text: string, context: TemplateContext): string {
  if (!text.includes('{{')) return text;
  return text.replace(REFERENCE, (whole, name: string) => lookUp(name, context) ?? whole);
}

/** A copy of a JSON value with all placeholders filled. Without a context they stay literal. */
export function fillTemplates(value: unknown, context: TemplateContext | undefined): unknown {
  if (typeof value === 'string') return context === undefined ? value : fillTemplate(value, context);
  if (value instanceof FileText) return value.text;
  if (Array.isArray(value)) return value.map((entry) => fillTemplates(entry, context));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillTemplates(entry, context)]));
  }
  return value;
}

function lookUp(name: string, { prompt, captures, results }: TemplateContext): string | undefined {
  if (/^\d+$/.test(name)) return captures.groups[Number(name)];
  if (Object.hasOwn(captures.named, name)) return captures.named[name];
  switch (name) {
    case 'prompt':
      return prompt.text;
    case 'command':
      return prompt.command?.name ?? '';
    case 'args':
      return prompt.command?.args ?? '';
    case 'cwd':
    case 'model':
    case 'agent':
      return prompt[name] ?? '';
    case 'results':
      return results ?? '';
    default:
      return undefined;
  }
}
