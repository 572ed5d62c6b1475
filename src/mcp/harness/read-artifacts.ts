import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { ArtifactIndex, containedPath } from '@understudy/stage';

const TEXT: Record<string, string> = {
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.md': 'text/markdown',
  '.diff': 'text/x-diff',
};
const IMAGES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/** The captured files below a folder, as their indexes list them: `run/kind/name`. */
export function listArtifacts(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((run) => {
    const file = join(root, run, 'index.json');
    if (!existsSync(file)) return [];
    const index = ArtifactIndex.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return index.success ? index.data.files.map(({ path }) => `${run}/${path}`) : [];
  });
}

/** Reads one of them; no path leads out of the folder. */
export function readArtifact(root: string, path: string): { mimeType: string; text?: string; blob?: string } {
  const file = containedPath(root, path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new UnderstudyError('HARNESS_NO_ARTIFACT', `there is no artifact ${JSON.stringify(path)}`, {
      fix: 'Use a link that capture_test_artifacts gave.',
    });
  }
  const content = readFileSync(file);
  const image = IMAGES[extname(file)];
  if (image !== undefined) return { mimeType: image, blob: content.toString('base64') };
  return { mimeType: TEXT[extname(file)] ?? 'text/plain', text: content.toString('utf8') };
}
