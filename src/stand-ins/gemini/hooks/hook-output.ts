import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject, parseJson } from '../../../document/json.js';

/** What a hook has said. */
export type HookOutput = JsonObject;

/** What all hooks of an event have said together. */
export interface HookVerdict {
  /** The agent is to stop, because of this. */
  stopped?: string;
  /** What was to be done is not done, because of this. */
  blocked?: string;
  asked: boolean;
  systemMessage?: string;
  isSilent: boolean;
  /** What the model is told besides; it cannot look like something of the CLI. */
  context?: string;
  specific: JsonObject;
}

/** Reads what a hook has written. Words are for the user, unless its exit code says that it objects. */
export function readOutput(stdout: string, stderr: string, exitCode: number): HookOutput | undefined {
  const text = stdout.trim() || stderr.trim();
  if (text === '') return undefined;
  let parsed = parseJson(text);
  if (typeof parsed === 'string') parsed = parseJson(parsed);
  if (parsed !== undefined) return typeof parsed === 'object' && parsed !== null ? (parsed as HookOutput) : undefined;
  if (exitCode === 0) return { decision: 'allow', systemMessage: text };
  if (exitCode === 1) return { decision: 'allow', systemMessage: `Warning: ${text}` };
  return { decision: 'deny', reason: text };
}

/** Puts together what the hooks of an event have said. */
export function mergeOutputs(outputs: readonly HookOutput[]): HookVerdict | undefined {
  if (outputs.length === 0) return undefined;
  const texts = (key: string): string | undefined => {
    const found = outputs.flatMap((output) => (output[key] ? [String(output[key])] : []));
    return found.length === 0 ? undefined : found.join('\n');
  };
  const specifics = outputs.flatMap(({ hookSpecificOutput }) =>
    isObject(hookSpecificOutput) ? [hookSpecificOutput] : [],
  );
  const contexts = specifics.flatMap(({ additionalContext }) =>
    typeof additionalContext === 'string' ? [additionalContext] : [],
  );
  const stops = outputs.filter(({ continue: goesOn }) => goesOn === false);
  const stopReason = stops.flatMap(({ stopReason: why }) => (why ? [String(why)] : [])).join('\n');
  const why = stopReason || (texts('reason') ?? 'No reason provided');
  const isBlocked = outputs.some(({ decision }) => decision === 'block' || decision === 'deny');
  const context = contexts.join('\n').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    ...defined({
      stopped: stops.length > 0 ? why : undefined,
      blocked: isBlocked ? why : undefined,
      systemMessage: texts('systemMessage'),
      context: context === '' ? undefined : context,
    }),
    asked: !isBlocked && outputs.some(({ decision }) => decision === 'ask'),
    isSilent: outputs.some(({ suppressOutput }) => Boolean(suppressOutput)),
    specific: Object.assign({}, ...specifics) as JsonObject,
  };
}
