/** The prompt of a headless run: the first argument, what is piped in, or both. */
export function joinPrompt(argument: string | undefined, piped: string): string {
  return [argument, piped.replace(/\n$/, '')].filter((part) => part !== undefined && part !== '').join('\n');
}
