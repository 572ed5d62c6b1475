/** The title that a scripted model gives to a session: the first words of the text. */
export function titleFrom(words: string): string {
  const session = /<session>([\s\S]*?)<\/session>/.exec(words)?.[1] ?? words;
  return session.trim().split(/\s+/).slice(0, 6).join(' ') || 'Scripted session';
}
