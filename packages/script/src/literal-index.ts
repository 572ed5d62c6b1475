/**
 * Finds which of many literals occur in a text, in one pass over it (Aho–Corasick). The edges of
 * a node are a linked list in typed arrays: ten thousand literals are a few megabytes, not a few
 * hundred thousand objects.
 */
export class LiteralIndex {
  readonly #char: Uint16Array;
  readonly #nextEdge: Int32Array;
  readonly #firstEdge: Int32Array;
  readonly #fail: Int32Array;
  /** The nearest node on the fail chain, itself included, at which literals end. */
  readonly #report: Int32Array;
  readonly #ends = new Map<number, number[]>();
  readonly #root = new Map<number, number>();
  #nodes = 1;

  /** `literals` are pairs of a text and the number that stands for it. */
  constructor(literals: readonly (readonly [text: string, id: number])[]) {
    const size = literals.reduce((sum, [text]) => sum + text.length, 1);
    this.#char = new Uint16Array(size);
    this.#nextEdge = new Int32Array(size);
    this.#firstEdge = new Int32Array(size);
    this.#fail = new Int32Array(size);
    this.#report = new Int32Array(size);
    for (const [text, id] of literals) this.#insert(text, id);
    this.#link();
  }

  /** Calls `found` with the number of every literal that occurs, possibly more than once. */
  search(text: string, found: (id: number) => void): void {
    const everywhere = this.#ends.get(0);
    if (everywhere !== undefined) everywhere.forEach(found);
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      node = this.#step(node, text.charCodeAt(i));
      let report = this.#report[node] ?? 0;
      while (report !== 0) {
        for (const id of this.#ends.get(report) ?? []) found(id);
        report = this.#report[this.#fail[report] ?? 0] ?? 0;
      }
    }
  }

  #insert(text: string, id: number): void {
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i);
      node = this.#edge(node, char) || this.#addNode(node, char);
    }
    const ids = this.#ends.get(node);
    if (ids === undefined) this.#ends.set(node, [id]);
    else ids.push(id);
  }

  #addNode(parent: number, char: number): number {
    const node = this.#nodes++;
    if (parent === 0) this.#root.set(char, node);
    this.#char[node] = char;
    this.#nextEdge[node] = this.#firstEdge[parent] ?? 0;
    this.#firstEdge[parent] = node;
    return node;
  }

  #edge(node: number, char: number): number {
    if (node === 0) return this.#root.get(char) ?? 0;
    let edge = this.#firstEdge[node] ?? 0;
    while (edge !== 0 && this.#char[edge] !== char) edge = this.#nextEdge[edge] ?? 0;
    return edge;
  }

  #step(from: number, char: number): number {
    let node = from;
    for (;;) {
      const next = this.#edge(node, char);
      if (next !== 0 || node === 0) return next;
      node = this.#fail[node] ?? 0;
    }
  }

  #link(): void {
    const queue = [0];
    for (let head = 0; head < queue.length; head++) {
      const parent = queue[head] ?? 0;
      for (let node = this.#firstEdge[parent] ?? 0; node !== 0; node = this.#nextEdge[node] ?? 0) {
        const fail = parent === 0 ? 0 : this.#step(this.#fail[parent] ?? 0, this.#char[node] ?? 0);
        this.#fail[node] = fail;
        this.#report[node] = this.#ends.has(node) ? node : (this.#report[fail] ?? 0);
        queue.push(node);
      }
    }
  }
}
