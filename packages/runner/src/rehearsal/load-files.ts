import { type Stage, stages } from '@understudy/agents';
import { asUnderstudyError, readSource, type UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { loadRehearsal, type Rehearsal } from './load.js';

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
  return files.map((file) => {
    try {
      return loadRehearsal(file);
    } catch (error) {
      return { file, error: asUnderstudyError(error), ...headOf(file) };
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

function headOf(file: string): Omit<BrokenRehearsal, 'file' | 'error'> {
  try {
    return headSchema.safeParse(readSource(file).value).data ?? {};
  } catch {
    return {};
  }
}
