import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { bundledLicenses } from '../scripts/bundled-licenses.mjs';
import { faces } from '../scripts/faces.mjs';

const LICENSES = fileURLToPath(new URL('../dist/report/THIRD-PARTY-LICENSES.txt', import.meta.url));

/** Puts script and styles into the page, and allows those alone: nothing else in the page runs, nothing is loaded. */
function onePage(): Plugin {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith('.html'));
      if (page?.type !== 'asset') throw new Error('the bundle has no page');
      let script = '';
      let style = '';
      for (const file of files) {
        if (file === page) continue;
        if (file.type === 'chunk') script += file.code;
        else if (file.fileName.endsWith('.css')) style += String(file.source);
        delete bundle[file.fileName];
      }
      script = script.replaceAll('</script', '<\\/script');
      const policy = [
        "default-src 'none'",
        `script-src '${digest(script)}'`,
        `style-src '${digest(style)}'`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      page.source = String(page.source)
        .replace(/\s*<script[^>]*type="module"[^>]*><\/script>/g, '')
        .replace(/\s*<link[^>]*rel="stylesheet"[^>]*>/g, '')
        .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_all, start: string) => `${start}${policy}`)
        // A report is given to others, and the code of others is in it.
        .replace('</head>', () => `<!--\n${readFileSync(LICENSES, 'utf8').replaceAll('--', '==')}\n-->\n  </head>`)
        .replace('</head>', () => `<style>${style}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
    },
  };
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export default defineConfig({
  base: './',
  build: {
    outDir: '../dist/report',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  plugins: [faces, bundledLicenses(LICENSES), onePage()],
});
