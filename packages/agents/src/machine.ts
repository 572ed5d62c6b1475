import { readFileSync } from 'node:fs';

/** What decides which build of a native program runs here. */
export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  musl: boolean;
  /** Old processors lack AVX2; OpenCode has a baseline build for them. */
  avx2: boolean;
}

let machine: Machine | undefined;

/** Looks at this machine, once. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  machine ??= { platform, arch, musl: platform === 'linux' && runsOnMusl(), avx2: arch !== 'x64' || hasAvx2(platform) };
  return machine;
}

function runsOnMusl(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}

function hasAvx2(platform: NodeJS.Platform): boolean {
  if (platform !== 'linux') return true;
  try {
    return /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}
