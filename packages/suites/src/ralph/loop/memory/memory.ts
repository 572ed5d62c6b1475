/** The kinds of memory, each with its section of the file, in the order of the file. */
export const memoryTypes = ['pattern', 'decision', 'fix', 'context'] as const;

export type MemoryType = (typeof memoryTypes)[number];

/** Something that an agent learned and that later runs know, too. */
export interface Memory {
  id: string;
  type: MemoryType;
  content: string;
  tags: string[];
  /** The day: YYYY-MM-DD. */
  created: string;
}

const SECTIONS: Record<MemoryType, string> = {
  pattern: 'Patterns',
  decision: 'Decisions',
  fix: 'Fixes',
  context: 'Context',
};

/** `## Patterns` for a pattern. */
export function sectionHeading(type: MemoryType): string {
  return `## ${SECTIONS[type]}`;
}

/** The kind whose section a heading opens. */
export function sectionType(line: string): MemoryType | undefined {
  return memoryTypes.find((type) => sectionHeading(type) === line.trim());
}

/** An entry as it is written in the file. */
export function formatMemory({ id, content, tags, created }: Memory): string {
  const quoted = content.split('\n').map((line) => `> ${line}`.trimEnd());
  return [`### ${id}`, ...quoted, `<!-- tags: ${tags.join(', ')} | created: ${created} -->`].join('\n');
}
