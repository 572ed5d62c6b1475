/** A page that is written from what it is about. `npm run reference` writes all of them again. */
export function page(title: string, from: string, introduction: string, sections: readonly string[]): string {
  const head = `<!-- Written by \`npm run reference\` from ${from}. -->\n# ${title}\n\n${introduction}\n`;
  return `${head}\n${sections.join('\n')}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n');
}

/** In a table a bar ends the cell, and what looks like a tag is one. */
export const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ');

export const code = (text: string): string => `\`${text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')}\``;
