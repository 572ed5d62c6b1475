/**
 * Why a name without its plugin does not say which command was called: several loaded plugins have one. Nothing where it
 * is clear: the name has its plugin, or it is the very one that was called.
 */
export function ambiguousCommand(known: readonly string[], wanted: string, called: string): string | undefined {
  if (wanted.includes(':') || called === wanted) return undefined;
  const named = [...new Set(known)].filter((name) => name.endsWith(`:${wanted}`)).sort();
  const plugins = new Set(named.map((name) => name.split(':')[0]));
  if (plugins.size < 2) return undefined;
  return `/${wanted} may be ${named.map((name) => `/${name}`).join(' or ')}: several plugins have it`;
}
