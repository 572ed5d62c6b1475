import type { Rolldown } from 'tsdown';

export const externalYaml: Rolldown.Plugin;
