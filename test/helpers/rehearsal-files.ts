import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small rehearsal: the user says hello, the model answers, and the answer must hold something. */
export function greeting({
  name = 'a greeting',
  answer = 'Hello, I have a plan.',
  expects = 'plan',
  more = '',
} = {}): string {
  return `name = "${name}"
${more}
[[responses]]
pattern = { type = "contains", text = "hello" }
response = ${JSON.stringify(answer)}

[[steps]]
send = "hello there"
[steps.expect]
keywords = { any = ["${expects}"] }
`;
}

/** Writes files into a folder, making the folders that they need. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
