import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kindOf, MANIFEST_FILE, MARKETPLACE_FILE } from '@understudy/agents';
import { inWords, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { changePlugins, type PluginHome, runPluginCommand } from './plugin-cli.js';

const marketplaceSchema = z.looseObject({
  name: z.string(),
  plugins: z.array(z.looseObject({ name: z.string(), source: z.unknown() })),
});

const listedSchema = z.array(z.looseObject({ name: z.string(), path: z.optional(z.string()) }));

export type Marketplace = z.infer<typeof marketplaceSchema>;

export function isMarketplace(folder: string): boolean {
  return kindOf(join(folder, MARKETPLACE_FILE)) === 'file';
}

export function isPlugin(folder: string): boolean {
  return kindOf(join(folder, MANIFEST_FILE)) === 'file';
}

/** Reads a marketplace's own file. */
export function readMarketplace(folder: string): Marketplace {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, MARKETPLACE_FILE), 'utf8'));
  } catch (cause) {
    throw new UnderstudyError('MARKETPLACE_INVALID', `${join(folder, MARKETPLACE_FILE)} cannot be read`, {
      fix: 'It must be JSON with a name, an owner and a list of plugins.',
      cause,
    });
  }
  const parsed = marketplaceSchema.safeParse(value, inWords);
  if (parsed.success) return parsed.data;
  throw new UnderstudyError(
    'MARKETPLACE_INVALID',
    `${join(folder, MARKETPLACE_FILE)}: ${z.prettifyError(parsed.error)}`,
    {
      fix: 'Give it a name, an owner and a list of plugins, each with a name and a source.',
    },
  );
}

/** The folder of a plugin of a marketplace, where it lies in the marketplace itself. */
export function sourceFolder(folder: string, { source }: Marketplace['plugins'][number]): string | undefined {
  return typeof source === 'string' ? resolve(folder, source) : undefined;
}

/** Makes a marketplace known to the CLI, and gives the name under which it goes. */
export async function addMarketplace(home: PluginHome, source: string): Promise<string> {
  const { marketplace } = await changePlugins(home, ['marketplace', 'add', source]);
  if (marketplace !== undefined) return marketplace;
  throw new UnderstudyError('PLUGIN_CLI_FAILED', `the CLI did not say under which name it added ${source}`);
}

/** Makes a marketplace unknown to the CLI. */
export async function removeMarketplace(home: PluginHome, name: string): Promise<void> {
  await changePlugins(home, ['marketplace', 'remove', name]);
}

/** The marketplaces that the CLI knows. */
export async function listMarketplaces(home: PluginHome): Promise<z.infer<typeof listedSchema>> {
  return listedSchema.parse(JSON.parse(await runPluginCommand(home, ['marketplace', 'list', '--json'])), inWords);
}
