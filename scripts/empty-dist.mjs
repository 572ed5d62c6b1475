// What an older build left in dist/ is not part of this one. The compiled stand-ins stay: they show by their date that
// they are older than the bundles, and are not used then.
import { existsSync, readdirSync, rmSync } from 'node:fs';

if (existsSync('dist')) {
  for (const name of readdirSync('dist')) {
    if (name !== 'native') rmSync(`dist/${name}`, { recursive: true, force: true });
  }
}
