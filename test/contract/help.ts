/** A page of help, by its items: usage, words, and each command, argument and option with what is said about it. */
export function readHelp(page: string): Record<string, string | Record<string, string>> {
  const [words, items]: [string[], Record<string, Record<string, string>>] = [[], {}];
  let section = '';
  let item = '';
  for (const line of page.split('\n')) {
    const title = /^([A-Z][A-Za-z ]+):$/.exec(line);
    const entry = /^ {2,6}(\S.*)$/.exec(line);
    if (title?.[1] !== undefined) [section, item] = [title[1], ''];
    else if (line.trim() === '') item = '';
    else if (!line.startsWith(' ')) {
      section = '';
      words.push(line);
    } else if (section === '') words.push(line.trim());
    else if (entry?.[1] !== undefined && (item === '' || /^ {2}\S|^ {6}--/.test(line))) {
      const [term = '', ...text] = entry[1].split(/ {2,}/);
      item = term;
      items[section] = { ...items[section], [term]: text.join(' ') };
    } else {
      const own = items[section] ?? {};
      own[item] = `${own[item] ?? ''} ${line.trim()}`.trim();
    }
  }
  return { words: words.join(' '), ...items };
}

/** The names of the subcommands on a page of help. */
export function subcommandsOf(page: string): string[] {
  const commands = readHelp(page)['Commands'] ?? {};
  return Object.keys(commands).flatMap((term) => {
    const name = /^[a-z][a-z-]*/.exec(term)?.[0] ?? '';
    return name === 'help' || name === '' ? [] : [name];
  });
}
