import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const REMOVE_MS = 20_000;

/** The client of the container engine, with the engine of the user: commands have an environment of their own. */
export function dockerClient(): [program: string, ...args: string[]] {
  const host = process.env['DOCKER_HOST'] ?? '';
  return host === '' ? ['docker'] : ['docker', '--host', host];
}

/** Ends and removes containers by their names, and returns which of them were there. */
export async function removeContainers(names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const [program, ...args] = dockerClient();
  const run = (...more: string[]) => promisify(execFile)(program, [...args, ...more], { timeout: REMOVE_MS });
  try {
    const filters = names.flatMap((name) => ['--filter', `name=^/?${name.replaceAll('.', '\\.')}$`]);
    const { stdout } = await run('ps', '--all', '--format', '{{.Names}}', ...filters);
    const there = stdout.split('\n').filter((name) => names.includes(name));
    if (there.length > 0) await run('rm', '--force', '--volumes', ...there);
    return there;
  } catch {
    // The engine is away, and its containers with it.
    return [];
  }
}
