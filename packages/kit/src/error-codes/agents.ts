/** Agents, their conversations and their processes. */
export const agentCodes = {
  AGENT_UNKNOWN: {
    meaning: 'There is no agent with this name.',
    fix: 'Use one of the names that `understudy agents list` prints.',
  },
  AGENT_BAD_VERSION: {
    meaning: 'The text after `@` is not a version.',
    fix: 'Write it as claude@1.2.3.',
  },
  AGENT_NOT_FOUND: {
    meaning: 'The CLI is not on this machine, or not in this version.',
    fix: 'Run `understudy agents add NAME`, or set UNDERSTUDY_NAME to the path of the program.',
  },
  AGENT_NOT_ON_NPM: {
    meaning: 'The CLI is not published on npm, so Understudy cannot fetch it.',
    fix: 'Install it as its vendor says, and put it on PATH.',
  },
  AGENT_NO_SUCH_VERSION: {
    meaning: 'npm has no such version of the CLI.',
    fix: 'List the versions with `npm view PACKAGE versions`, or leave the version out.',
  },
  AGENT_NOT_INSTALLED: {
    meaning: 'npm could not install the CLI.',
    fix: 'Read what npm says, then run `understudy agents add` again.',
  },
  AGENT_REGISTRY_UNREACHABLE: {
    meaning: 'npm could not reach its registry.',
    fix: 'Check the network and `npm config get registry`.',
  },
  AGENT_NO_BUILD: {
    meaning: 'The package has no program for this operating system and processor.',
    fix: 'Try another version, or another machine.',
  },
  AGENT_NODE_TOO_OLD: {
    meaning: 'The CLI needs a newer Node than the one that runs Understudy.',
    fix: 'Run `understudy agents add NAME@VERSION`, which fetches a Node for it, or install a newer Node.',
  },
  AGENT_CHANGED: {
    meaning: 'A CLI in the store is not as it was fetched: a file was changed, or its record is missing.',
    fix: 'Run `understudy agents add NAME@VERSION` to fetch it again.',
  },
  AGENT_NOT_AS_PINNED: {
    meaning: 'npm has, or the store has, another build of a pinned version than the one that Understudy knows.',
    fix: 'Check `npm config get registry`, then run `understudy agents add NAME` again.',
  },
  AGENT_STORE_LOCKED: {
    meaning: 'Another process holds the lock for this version of the CLI, and did not release it in time.',
    fix: 'End that process, or remove the lock file that the message names.',
  },
  AGENT_IN_USE: {
    meaning: 'A version of a CLI cannot be removed from the store, because a process uses it.',
    fix: 'Wait until the process that the message names has ended.',
  },
  AGENT_STORE_NOT_WRITABLE: {
    meaning: 'The store of agents cannot be written: the disk is full, or the permissions forbid it.',
    fix: 'Free space or change its permissions, or name another folder in UNDERSTUDY_STORE.',
  },
  AGENT_STORE_BROKEN: {
    meaning: 'A folder in the store of agents is not usable.',
    fix: 'Remove that folder and run `understudy agents add` again.',
  },
  AGENT_NOT_AUTHENTICATED: {
    meaning: 'The stage `live` needs credentials, and the environment has none.',
    fix: 'Set one of the variables that the message names, or use the stage `scripted`.',
  },
  AGENT_NO_SUCH_STAGE: {
    meaning: 'This agent cannot run on this stage.',
    fix: 'Use one of the stages that the message lists.',
  },
  AGENT_IGNORES_OPTION: {
    meaning: 'The agent would ignore an option of the conversation.',
    fix: 'Remove the option, or use claude.',
  },
  AGENT_NOT_STARTED: {
    meaning: 'The CLI ended before the conversation began.',
    fix: 'Read what it wrote, run it by hand, or try another version.',
  },
  AGENT_START_BLOCKED_BY_HOOK: {
    meaning: 'A hook that runs at the start of the session did not end, so the CLI never became ready.',
    fix: 'Make the hook end, give it a `timeout`, or run slow work in the background.',
  },
  AGENT_SERVER_NOT_READY: {
    meaning: 'An MCP server of the session was still starting when its time was over.',
    fix: 'Make it start faster, give it longer with `start.timeout_ms`, or replace it with `[mcp.NAME]`.',
  },
  AGENT_BUSY: {
    meaning: 'The agent is still in a turn.',
    fix: 'Wait for the turn, or interrupt it.',
  },
  AGENT_ENDED: {
    meaning: 'The process of the agent has ended.',
    fix: 'Start a new conversation. `resume` continues this one.',
  },
  AGENT_NO_ANSWER: {
    meaning: 'Claude Code did not answer a control request in time.',
    fix: 'Try again, or raise the timeout.',
  },
  AGENT_REFUSED: {
    meaning: 'Claude Code refused a control request.',
    fix: 'Read the reason in the message, or try another version of the CLI.',
  },
  AGENT_NO_CONTROL: {
    meaning: 'Only Claude Code accepts control requests while it runs.',
    fix: 'Use claude for this.',
  },
  AGENT_NO_TERMINAL: {
    meaning:
      'The agent cannot be played in a terminal: stand-ins have no screen, and only claude and opencode are known.',
    fix: 'Use the real claude or opencode, on the stage scripted or live.',
  },
  CONVERSATION_NO_TERMINAL: {
    meaning: 'Keys were pressed in a conversation that has no terminal.',
    fix: 'Start it with `terminal: { columns: 100, rows: 30 }`.',
  },
  CONVERSATION_ENDED: {
    meaning: 'The conversation has ended.',
    fix: 'Start a new one.',
  },
  CONVERSATION_NO_HOME: {
    meaning: '`resume` needs the home folder of the first conversation.',
    fix: 'Give the same `home` to both conversations.',
  },
  CONVERSATION_NO_TURN: {
    meaning: 'The log has no end for the turn. This is a fault in Understudy.',
    fix: 'Report it, with the event log.',
  },
  AGENT_OUT_OF_TURN: {
    meaning:
      'The agent said or did something when no prompt was under way: something else wrote to the output of the CLI.',
    fix: 'Find what writes to the standard output of the CLI: a tool, a hook or a background process.',
  },
  CONVERSATION_ILLEGAL_TRANSITION: {
    meaning: 'An event led to a state that is not allowed. This is a fault in a driver, or the log was changed.',
    fix: 'Report it, with the event log.',
  },
  LOG_DAMAGED: {
    meaning: 'A line of a stored event log is not an event.',
    fix: 'Use the log as it was written, or record it again.',
  },
  CANNOT_LISTEN: {
    meaning: 'A server could not use this host and port.',
    fix: 'Choose another port, or 0 for a free one.',
  },
  LISTEN_REMOTE: {
    meaning: 'The server would listen on an address that other machines can reach, and that was not allowed.',
    fix: 'Listen on 127.0.0.1, or give `--allow-remote` (`allowRemote` in code).',
  },
  SECRET_TOO_WEAK: {
    meaning:
      'A key or token of a server is empty, shorter than 16 characters, or has characters other than letters, digits and `-._~+/=`.',
    fix: 'Give a longer one of such characters, or leave it out: then a random one is made.',
  },
  PROCESS_NOT_STARTED: {
    meaning: 'A program could not be started.',
    fix: 'Check that it exists, that it is executable, and that its working folder exists.',
  },
  PROCESS_NO_COMMAND: {
    meaning: 'The command to start is empty.',
    fix: 'Give a program and its arguments.',
  },
  PROGRAM_NOT_BUILT: {
    meaning: 'A program of Understudy itself is missing.',
    fix: 'In a clone, run `npm run build`. Otherwise install the package again.',
  },
  TERMINAL_NOT_AVAILABLE: {
    meaning: 'A terminal needs two optional packages that are not installed.',
    fix: 'Install @lydell/node-pty and @xterm/headless. The message has the command.',
  },
  TERMINAL_NOT_SHOWN: {
    meaning: 'The terminal did not show the expected text in time.',
    fix: 'Compare with the screen in the message.',
  },
  CLAUDE_BAD_FAILURE: {
    meaning: 'The stand-in does not know the failure that was forced.',
    fix: 'Use one of the names that the message lists, or JSON.',
  },
} as const;
