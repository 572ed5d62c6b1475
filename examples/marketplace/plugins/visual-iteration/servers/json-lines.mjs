import { createInterface } from 'node:readline';

/** Calls `onMessage` for each JSON-RPC message of a stream; lines that are no JSON go to `onNoise`. */
export function readMessages(stream, onMessage, onNoise = () => {}) {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return onNoise(line);
    }
    onMessage(message);
  });
  return lines;
}

export function writeMessage(stream, message) {
  stream.write(`${JSON.stringify(message)}\n`);
}
