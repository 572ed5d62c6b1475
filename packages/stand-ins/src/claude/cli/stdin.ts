import { fstatSync, readFileSync } from 'node:fs';
import { listenToStdin } from '../../shared/listen-to-stdin.js';
import { recordStream } from '../../shared/record-call.js';
import { writeOut } from '../../shared/write-out.js';

const PATIENCE_MS = 3000;

/**
 * What is piped in, or an empty text. Like the real CLI it waits three seconds for the first byte: a
 * pipe that is never written or closed is a common mistake.
 */
export async function readPipedText(): Promise<string> {
  const stat = fstatSync(0, { bigint: false });
  if (stat.isFile()) {
    const text = readFileSync(0, 'utf8');
    recordStream('stdin', text);
    return text;
  }
  // A terminal, or /dev/null.
  if (stat.isCharacterDevice()) return '';
  return new Promise((resolve) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    const finish = (): void => {
      clearTimeout(timer);
      letGo();
      resolve(text + decoder.decode());
    };
    const timer = setTimeout(() => {
      writeOut(
        2,
        'Warning: no stdin data received in 3s, proceeding without it. If piping from a slow command, redirect stdin explicitly: < /dev/null to skip, or wait longer.\n',
      );
      finish();
    }, PATIENCE_MS);
    const letGo = listenToStdin({
      onChunk(chunk) {
        clearTimeout(timer);
        text += decoder.decode(chunk, { stream: true });
      },
      onEnd: finish,
    });
  });
}
