/** A slash command as the CLI writes it for the model, in its stream and in its transcript: three tags. */
export interface TaggedCommand {
  name: string;
  args: string;
  /** What follows the tags: the text that the command became. */
  rest: string;
}

const TAGS =
  /^\s*<command-message>[\s\S]*?<\/command-message>\s*<command-name>\/?([\s\S]*?)<\/command-name>(?:\s*<command-args>([\s\S]*?)<\/command-args>)?/;

/** A text in which nothing is taken for a tag. */
export function escapeTags(text: string): string {
  return escapeAngles(text.replaceAll('&', '&amp;'));
}

/** The same where the CLI leaves `&` as it is: in its list of skills and commands for the model. */
export function escapeAngles(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes a command as the CLI does. */
export function writeCommandTags(name: string, args: string): string {
  return [
    `<command-message>${name}</command-message>`,
    `<command-name>/${name}</command-name>`,
    ...(args === '' ? [] : [`<command-args>${args}</command-args>`]),
  ].join('\n');
}

/** Reads a command that stands at the beginning of a text; nothing where there is none. */
export function readCommandTags(text: string): TaggedCommand | undefined {
  const [tags, name = '', args = ''] = TAGS.exec(text) ?? [];
  if (tags === undefined) return undefined;
  return { name: name.trim(), args: args.trim(), rest: text.slice(tags.length).trim() };
}
