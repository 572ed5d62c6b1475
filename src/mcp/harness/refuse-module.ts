import { isModuleFile, UnderstudyError } from '@understudy/kit';

/** Who asks us over MCP may write files, but not run what is in them outside of a sandbox. */
export function refuseModule(file: string): void {
  if (!isModuleFile(file)) return;
  throw new UnderstudyError('MCP_BAD_INPUT', `${file} is a module, which would run outside of every sandbox`, {
    fix: 'Write the rehearsal as TOML, YAML or JSON, or run it with `understudy run`.',
  });
}
