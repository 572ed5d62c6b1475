import type { Rolldown } from 'tsdown';

export function staticCore(entry: string): { plugin: Rolldown.Plugin; test: (id: string) => boolean };
