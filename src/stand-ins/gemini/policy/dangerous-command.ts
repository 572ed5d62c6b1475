import { NotSupported } from '../options.js';
import { wordsOf } from './shell-line.js';

const CHANGING_FIND = new Set('-exec -execdir -ok -okdir -delete -fls -fprint -fprint0 -fprintf'.split(' '));
const READING_BRANCH = new Set('--list -l --show-current -a --all -r --remotes -v -vv --verbose'.split(' '));

/** Whether Gemini CLI wants somebody to confirm a command, even where all commands are allowed. */
export function isDangerous(command: string): boolean {
  return areDangerous(wordsOf(command));
}

function areDangerous([program, ...args]: readonly string[]): boolean {
  switch (program) {
    case 'sudo':
      return areDangerous(args);
    case 'rm':
      return /^-(?:f|rf|fr)$/.test(args[0] ?? '');
    case 'ln':
      return args.some((word) => word === '--symbolic' || /^-[^-]*s/.test(word));
    case 'find':
      return args.some((word) => CHANGING_FIND.has(word));
    case 'git':
      return isDangerousGit(args);
    case 'rg':
    case 'base64':
      if (args.some((word) => /^(?:--pre|--hostname-bin|--search-zip|-z|-o|--output)/.test(word)))
        throw new NotSupported(`--allowed-tools with ${program} and ${args.join(' ')}`);
      return false;
    default:
      return false;
  }
}

function isDangerousGit(args: readonly string[]): boolean {
  if (args.some((word) => /^-c|^--config-env(?:$|=)/.test(word))) return true;
  const [command, ...rest] = args.filter((word, index) => index > 0 || !word.startsWith('-'));
  if (!['status', 'log', 'diff', 'show', 'branch'].includes(command ?? '')) return false;
  const isWriting = rest.some((word) => /^--(?:(?:output|exec)(?:$|=)|(?:ext-diff|textconv|paginate)$)/.test(word));
  if (command !== 'branch' || isWriting) return isWriting;
  return !rest.every((word) => READING_BRANCH.has(word) || word.startsWith('--format='));
}
