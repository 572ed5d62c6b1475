import type { TurnView } from '../shared/play-turn.js';
import { ShownToAll } from '../shared/shown-to-all.js';

/** Shows a run of OpenCode. */
export interface OpencodeView extends TurnView {
  onCutOff(): void;
  onError(name: string, data: Record<string, unknown>): void;
}

/** Shows a run to the user, and writes it down. */
export class ShownTwice extends ShownToAll<OpencodeView> implements OpencodeView {
  onCutOff(): void {
    for (const view of this.views) view.onCutOff();
  }

  onError(name: string, data: Record<string, unknown>): void {
    for (const view of this.views) view.onError(name, data);
  }
}
