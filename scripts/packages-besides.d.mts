import type { Rolldown } from 'tsdown';

export const packagesBesides: Rolldown.Plugin;
