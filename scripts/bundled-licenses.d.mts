import type { Rolldown } from 'tsdown';

export function bundledLicenses(file: string): Rolldown.Plugin;
