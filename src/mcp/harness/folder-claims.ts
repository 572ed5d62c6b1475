import { sep } from 'node:path';

/** Which folders belong to which client, where several clients share one server. Paths are real paths. */
export class FolderClaims {
  readonly #claims = new Map<string, ClientFolders>();

  /** The folders of one more client. */
  newClient(): ClientFolders {
    return new ClientFolders(this.#claims);
  }
}

/** The folders of one client. */
export class ClientFolders {
  readonly #claims: Map<string, ClientFolders>;

  constructor(claims: Map<string, ClientFolders>) {
    this.#claims = claims;
  }

  /** From now on the folder belongs to this client alone. */
  claim(folder: string): void {
    this.#claims.set(folder, this);
  }

  /** Gives all folders back. */
  release(): void {
    for (const [folder, owner] of this.#claims) if (owner === this) this.#claims.delete(folder);
  }

  /** Whether a path is in a folder of another client, or has one in it. */
  isForeign(path: string): boolean {
    return [...this.#claims].some(
      ([folder, owner]) => owner !== this && (contains(folder, path) || contains(path, folder)),
    );
  }
}

/** Whether a path is a folder or lies below it. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
