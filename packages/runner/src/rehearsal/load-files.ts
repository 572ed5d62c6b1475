import { type Stage, stages } from '@understudy/agents';
import {
  asUnderstudyError,
  isModuleFile,
  readModules,
  readSource,
  type Source,
  type UnderstudyError,
} from '@understudy/kit';
import * as z from 'zod/mini';
import { type Rehearsal, toRows } from './load.js';

/** A file that cannot be loaded, with what can be read of it: by that it is found, and put where it belongs. */
export interface BrokenRehearsal {
  file: string;
  error: UnderstudyError;
  name?: string | undefined;
  tags?: string[] | undefined;
  agent?: string | string[] | undefined;
  stage?: Stage | undefined;
}

/** Loads rehearsals. A file that cannot be loaded does not stop the others. */
export function loadRehearsals(files: readonly string[]): (Rehearsal | BrokenRehearsal)[] {
  // One thread imports all modules: what they share is loaded once.
  const modules = readModules(files.filter(isModuleFile));
  return files.flatMap((file): (Rehearsal | BrokenRehearsal)[] => {
    let source: Source | undefined;
    try {
      const read = modules.get(file) ?? readSource(file);
      if (read instanceof Error) throw read;
      source = read;
      return toRows(source, file);
    } catch (error) {
      return [{ file, error: asUnderstudyError(error), ...headOf(source) }];
    }
  });
}

export function isBroken(rehearsal: Rehearsal | BrokenRehearsal): rehearsal is BrokenRehearsal {
  return 'error' in rehearsal;
}

const texts = z.array(z.string());

/** Each field by itself: what is wrong with one says nothing about the others. */
const headSchema = z.object({
  name: z.catch(z.optional(z.string()), undefined),
  tags: z.catch(z.optional(texts), undefined),
  agent: z.catch(z.optional(z.union([z.string(), texts])), undefined),
  stage: z.catch(z.optional(z.enum(stages)), undefined),
});

function headOf(source: Source | undefined): Omit<BrokenRehearsal, 'file' | 'error'> {
  return headSchema.safeParse(source?.value).data ?? {};
}
