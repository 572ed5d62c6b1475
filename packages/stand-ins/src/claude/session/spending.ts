import type { JsonObject } from '@understudy/kit';
import type { Tokens } from '../output/usage.js';
import { Tally } from './tally.js';

/** What a session has cost. */
export class Spending {
  /** The sum of the whole session, earlier processes included. */
  readonly total = new Tally();
  #sinceResult = new Tally();
  /** What earlier processes have cost: it does not count for the budget. */
  #before = 0;
  apiMs = 0;

  add(model: string, tokens: Tokens): void {
    this.total.add(model, tokens);
    this.#sinceResult.add(model, tokens);
  }

  /** Takes over what earlier processes have used. */
  restore(kept: unknown): void {
    this.total.restore(kept);
    this.#before = this.total.cost;
  }

  /** The dollars that count for the budget. */
  get ofBudget(): number {
    return this.total.cost - this.#before;
  }

  /** What each model has used since the last result. */
  takeSinceResult(): JsonObject {
    const used = this.#sinceResult.byModel();
    this.#sinceResult = new Tally();
    return used;
  }

  /** The line of the transcript from which the next process goes on. */
  line(): JsonObject & { type: string } {
    return { type: 'cost-state', totalCostUSD: this.total.cost, modelUsage: this.total.toTranscript() };
  }
}
