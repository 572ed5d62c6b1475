import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import type { InvalidStream } from './failures.js';

interface ToolCount {
  count: number;
  success: number;
  fail: number;
  durationMs: number;
  /** Those that may run. */
  accepted: number;
}

/** Calls that were wrong, denied, or in need of somebody's word. */
const NOT_ACCEPTED = new Set(['invalid_tool_params', 'policy_violation', 'unhandled_exception']);

/** Counts what a run used, for the end of its output. */
export class RunStats {
  readonly #model: string;
  readonly #started = Date.now();
  #requests = 0;
  /** Requests that failed, and answers that were of no use. */
  #failures = 0;
  readonly #errors: string[] = [];
  #prompt = 0;
  #output = 0;
  #cached = 0;
  readonly #tools = new Map<string, ToolCount>();
  #lines = { added: 0, removed: 0 };

  constructor(model: string) {
    this.#model = model;
  }

  addStep({ input, output, cacheRead, cacheCreation }: StepUsage): void {
    this.#requests++;
    this.#prompt += input + cacheRead + cacheCreation;
    this.#output += output;
    this.#cached += cacheRead;
  }

  /** An answer that was of no use, and what the requests for it have cost. */
  addInvalid({ errorType, repeatedFor }: InvalidStream): void {
    this.#requests += repeatedFor.length;
    for (const tokens of repeatedFor) this.#prompt += tokens;
    this.#errors.push(errorType);
  }

  /** A request that failed and was repeated. */
  addFailure(): void {
    this.#requests++;
    this.#failures++;
    this.#errors.push('ApiError');
  }

  addTool({ name, result, started, ended }: ToolCall): void {
    const count = this.#tools.get(name) ?? { count: 0, success: 0, fail: 0, durationMs: 0, accepted: 0 };
    count.count++;
    count[result.isError && result.shell === undefined ? 'fail' : 'success']++;
    if (!NOT_ACCEPTED.has(result.errorType ?? '')) count.accepted++;
    count.durationMs += ended - started;
    this.#tools.set(name, count);
    const { lines } = result;
    this.#lines = {
      added: this.#lines.added + (lines?.added ?? 0),
      removed: this.#lines.removed + (lines?.removed ?? 0),
    };
  }

  /** The end of `-o stream-json`. */
  flat(): Record<string, unknown> {
    return this.#flat(this.#requests > 0);
  }

  #flat(hasModel: boolean): Record<string, unknown> {
    const tokens = this.#flatTokens();
    return {
      ...tokens,
      duration_ms: Date.now() - this.#started,
      tool_calls: this.#total('count'),
      models: hasModel ? { [this.#model]: tokens } : {},
    };
  }

  /** The same of a run that came to nothing. */
  empty(): Record<string, unknown> {
    return new RunStats(this.#model).#flat(true);
  }

  /** The `stats` of `-o json`. */
  full(): Record<string, unknown> {
    const tokens = {
      input: this.#prompt - this.#cached,
      prompt: this.#prompt,
      candidates: this.#output,
      total: this.#prompt + this.#output,
      cached: this.#cached,
      thoughts: 0,
      tool: 0,
    };
    const latency = { totalLatencyMs: Date.now() - this.#started };
    const requests = { totalRequests: this.#requests, totalErrors: this.#errors.length, ...latency };
    const errorsByType: Record<string, number> = {};
    for (const type of this.#errors) errorsByType[type] = (errorsByType[type] ?? 0) + 1;
    const roles = { main: { ...requests, totalErrors: this.#failures, tokens } };
    return {
      models: this.#requests === 0 ? {} : { [this.#model]: { api: { ...requests, errorsByType }, tokens, roles } },
      tools: {
        totalCalls: this.#total('count'),
        totalSuccess: this.#total('success'),
        totalFail: this.#total('fail'),
        totalDurationMs: this.#total('durationMs'),
        totalDecisions: decisions(this.#total('accepted')),
        byName: Object.fromEntries(
          [...this.#tools].map(([name, { accepted, ...count }]) => [
            name,
            { ...count, decisions: decisions(accepted) },
          ]),
        ),
      },
      files: { totalLinesAdded: this.#lines.added, totalLinesRemoved: this.#lines.removed },
    };
  }

  #flatTokens(): Record<string, number> {
    return {
      total_tokens: this.#prompt + this.#output,
      input_tokens: this.#prompt,
      output_tokens: this.#output,
      cached: this.#cached,
      input: this.#prompt - this.#cached,
    };
  }

  #total(field: keyof ToolCount): number {
    return [...this.#tools.values()].reduce((sum, count) => sum + count[field], 0);
  }
}

function decisions(accept: number): Record<string, number> {
  return { accept, reject: 0, modify: 0, auto_accept: 0 };
}
