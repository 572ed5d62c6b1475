/**
 * Calls that run side by side. Each step of theirs begins when all have come so far: in the real CLI chance decides who
 * is first, and here it must be the same each time.
 */
export class Lockstep {
  #members: number;
  #waiting: (() => void)[] = [];

  constructor(members: number) {
    this.#members = members;
  }

  /** Waits until the others have come as far, or have left. */
  async reach(): Promise<void> {
    const all = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#release();
    await all;
  }

  leave(): void {
    this.#members--;
    this.#release();
  }

  #release(): void {
    if (this.#waiting.length < this.#members) return;
    for (const go of this.#waiting.splice(0)) go();
  }
}
