import { streamTexts } from './channels.js';
import { partsIn } from './parts.js';
import { CassetteFile } from './reader.js';
import { secretFinder } from './secrets.js';

/** What is wrong with a cassette; nothing if it is sound. */
export function problemsOf(file: string): string[] {
  const cassette = CassetteFile.open(file);
  const problems: string[] = [];
  const find = secretFinder(process.env);
  const parts = new Set<string>();
  const numbers = new Set<number>();
  let counted: number | undefined;
  try {
    for (const line of cassette.lines()) {
      const events = line.type === 'interaction' ? streamTexts(line.answer.events ?? []) : [];
      const secret = find([JSON.stringify(line), ...events]);
      const where = line.type === 'interaction' ? `interaction ${line.number}` : `a line of the type "${line.type}"`;
      if (secret !== undefined) problems.push(`${where} has a secret in it (${secret})`);
      if (line.type === 'part') parts.add(line.id);
      if (line.type === 'end') counted = line.interactions;
      if (line.type !== 'interaction') continue;
      if (numbers.has(line.number)) problems.push(`there are two interactions ${line.number}`);
      numbers.add(line.number);
      for (const id of partsIn(line.request.body)) {
        if (!parts.has(id)) problems.push(`${where} names the part ${id}, which is missing`);
      }
    }
    if (cassette.isCut) problems.push('it was cut: its recorder was killed');
    else if (counted !== numbers.size)
      problems.push(`its last line counts ${counted} interactions, and there are ${numbers.size}`);
    return problems;
  } finally {
    cassette.close();
  }
}
