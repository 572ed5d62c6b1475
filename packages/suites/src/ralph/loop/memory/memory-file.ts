import { formatMemory, type Memory, type MemoryType, memoryTypes, sectionHeading, sectionType } from './memory.js';

/** An entry with the lines that it takes in the file. */
interface MemoryEntry {
  memory: Memory;
  from: number;
  to: number;
}

const HEADING = /^###\s+(mem-\d+-[0-9a-f]{4})\s*$/;
const DETAILS = /^<!--\s*tags:\s*(.*?)\s*\|\s*created:\s*(\d{4}-\d{2}-\d{2})\s*-->\s*$/;

/** The memories of a file. What is not an entry (a damaged line, a remark) is skipped, never an error. */
export function parseMemories(text: string): Memory[] {
  return findEntries(text.split('\n')).map((entry) => entry.memory);
}

/** The file with a memory added to its section. Everything else in it stays as it was. */
export function withMemory(text: string, memory: Memory): string {
  const lines = text.trim() === '' ? ['# Memories'] : text.trimEnd().split('\n');
  const at = endOfSection(lines, memory.type);
  const entry = formatMemory(memory).split('\n');
  if (at === undefined) lines.push('', sectionHeading(memory.type), '', ...entry);
  else lines.splice(at, 0, '', ...entry);
  return `${lines.join('\n')}\n`;
}

/** The file without a memory, or undefined when it is not there. */
export function withoutMemory(text: string, id: string): string | undefined {
  const lines = text.split('\n');
  const entry = findEntries(lines).find(({ memory }) => memory.id === id);
  if (entry === undefined) return undefined;
  const blankAfter = lines[entry.to]?.trim() === '' ? 1 : 0;
  lines.splice(entry.from, entry.to - entry.from + blankAfter);
  return lines.join('\n');
}

function findEntries(lines: readonly string[]): MemoryEntry[] {
  const entries: MemoryEntry[] = [];
  let type: MemoryType | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith('## ')) type = sectionType(line);
    const id = HEADING.exec(line)?.[1];
    if (id === undefined || type === undefined) continue;
    let end = index + 1;
    const content: string[] = [];
    while (lines[end]?.startsWith('>')) content.push((lines[end++] ?? '').replace(/^> ?/, ''));
    if (content.length === 0) continue;
    const details = DETAILS.exec(lines[end] ?? '');
    if (details !== null) end++;
    const tags = (details?.[1] ?? '').split(',').map((tag) => tag.trim());
    entries.push({
      memory: {
        id,
        type,
        content: content.join('\n'),
        tags: tags.filter((tag) => tag !== ''),
        created: details?.[2] ?? '',
      },
      from: index,
      to: end,
    });
    index = end - 1;
  }
  return entries;
}

/** The line behind the last one of a section; undefined when the file has no such section. */
function endOfSection(lines: readonly string[], type: MemoryType): number | undefined {
  const start = lines.findIndex((line) => sectionType(line) === type);
  if (start === -1) return undefined;
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  let end = next === -1 ? lines.length : next;
  while (end > start + 1 && lines[end - 1]?.trim() === '') end--;
  return end;
}

/** Memories as they are written in a prompt: by section, without empty sections. */
export function formatMemories(memories: readonly Memory[]): string {
  const sections = memoryTypes.flatMap((type) => {
    const entries = memories.filter((memory) => memory.type === type);
    return entries.length === 0 ? [] : [`${sectionHeading(type)}\n\n${entries.map(formatMemory).join('\n\n')}`];
  });
  return `# Memories\n\n${sections.join('\n\n')}\n`;
}
