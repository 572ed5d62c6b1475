import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files below a folder; what is no text becomes JSON. Scripts (*.sh) are executable. */
export function writeFiles(root: string, files: Record<string, unknown>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(file, text, path.endsWith('.sh') ? { mode: 0o755 } : {});
  }
}
