// The platforms that the stand-ins are compiled for, and the bun of npm that each of them needs.
import { existsSync } from 'node:fs';

/** The file within each package. */
export const NATIVE_PROGRAM = 'understudy-stand-ins';

const linux = (cpu, libc) => ({ os: 'linux', cpu, libc });
const platforms = [
  linux('x64', 'glibc'),
  linux('arm64', 'glibc'),
  linux('x64', 'musl'),
  linux('arm64', 'musl'),
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
];

export const nativePackages = platforms.map((platform) => {
  const musl = platform.libc === 'musl' ? '-musl' : '';
  // The baseline build runs on processors without AVX2, too.
  const baseline = platform.cpu === 'x64' ? '-baseline' : '';
  const bunCpu = platform.cpu === 'arm64' ? 'aarch64' : platform.cpu;
  return {
    ...platform,
    name: `@agent-understudy/native-${platform.os}-${platform.cpu}${musl}`,
    bun: `bun-${platform.os}-${bunCpu}${musl}${baseline}`,
    target: `bun-${platform.os}-${platform.cpu}${baseline}${musl}`,
  };
});

/** The package of a machine. */
export function packageFor({ platform, arch }) {
  const isMusl = platform === 'linux' && existsSync('/etc/alpine-release');
  return nativePackages.find(
    ({ os, cpu, libc }) => os === platform && cpu === arch && (libc === undefined || (libc === 'musl') === isMusl),
  );
}
