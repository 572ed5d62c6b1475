import type { Rolldown } from 'tsdown';

export function staticCores(
  name: string,
  always: readonly string[],
  some?: readonly string[],
): { plugin: Rolldown.Plugin; groups: Rolldown.CodeSplittingGroup[] };
