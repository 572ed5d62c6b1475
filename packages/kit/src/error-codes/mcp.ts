/** The MCP server and its tools. */
export const mcpCodes = {
  MCP_BAD_INPUT: {
    meaning: 'The arguments of a tool call do not fit its input schema.',
    fix: 'Correct the arguments that the message names.',
  },
  MCP_MESSAGE_TOO_LONG: {
    meaning: 'A message on stdin has more than 10 MB. It was not read; the session goes on.',
    fix: 'Send less at once: name files instead of sending what is in them.',
  },
  MCP_NO_TOOL: {
    meaning: 'There is no tool of this name.',
    fix: 'Use one of the names that the server lists.',
  },
  MCP_OPEN_TO_ALL: {
    meaning: '`--no-token` on a host other than this machine would let everybody in.',
    fix: 'Remove `--no-token`, or serve on 127.0.0.1.',
  },
  MCP_SESSION_ENDED: {
    meaning: 'The session with the MCP server has ended.',
    fix: 'Connect again.',
  },
  MCP_NO_SESSION: {
    meaning: 'The client has no session, so its conversations could not be distinguished from those of others.',
    fix: 'Connect to /mcp/NAME instead of /mcp, with a name of your own.',
  },
  MCP_TOO_MANY_SESSIONS: {
    meaning: 'The server has as many named sessions as it allows.',
    fix: 'Use one of yours again, or wait until an idle one ends.',
  },
  MCP_SERVER_NOT_STARTED: {
    meaning: 'An MCP server under test did not start.',
    fix: 'Run its command by hand. Its stdout must carry MCP messages only.',
  },
  MCP_SERVER_UNKNOWN: {
    meaning: 'A rehearsal declares an MCP server absent that neither its plugins nor its project have.',
    fix: 'Use the name in `.mcp.json`, without the name of the plugin.',
  },
  MCP_MOCK_REMOTE: {
    meaning: 'A remote MCP server cannot be mocked in part, because a proxy cannot stand in front of it.',
    fix: 'Mock it with `replace: true`.',
  },
  MCP_MOCK_WHICH_SERVER: {
    meaning: '`replace` needs `server_name`.',
    fix: 'Give `server_name`, or leave `replace` out.',
  },
  HARNESS_NO_CONVERSATION: {
    meaning: 'There is no conversation with this session_id.',
    fix: 'Start one with `start_conversation` and use the session_id that it returns.',
  },
  HARNESS_WHICH_CONVERSATION: {
    meaning: 'The call names no conversation, and there is not exactly one.',
    fix: 'Give `session_id`.',
  },
  HARNESS_TOO_MANY_CONVERSATIONS: {
    meaning: 'As many conversations run as the server allows.',
    fix: 'End one with `end_conversation`.',
  },
  HARNESS_NO_RESPONSE: {
    meaning: 'There is no response with this id.',
    fix: 'Use the response_id of `send_prompt`, or the command_id of `execute_command`.',
  },
  HARNESS_TURN_FAILED: {
    meaning: 'The turn could not be completed because of an error in the harness.',
    fix: 'Look at the history of the conversation, and start a new one.',
  },
  HARNESS_NO_LIVE: {
    meaning: 'The stage `live` costs money, and the server does not allow it.',
    fix: 'Use another stage, or start the server with `--allow-live`.',
  },
  HARNESS_NO_WIRE: {
    meaning: 'On this stage the requests of the agent cannot be seen.',
    fix: 'Use the stage `scripted`.',
  },
  HARNESS_NOTHING_SENT: {
    meaning: 'The agent has not sent a request to its model yet.',
    fix: 'Call `send_prompt` or `execute_command` first.',
  },
  HARNESS_NOTHING_TO_CAPTURE: {
    meaning: 'There was no conversation, so there are no artifacts.',
    fix: 'Call `start_conversation` first.',
  },
  HARNESS_NO_ARTIFACT: {
    meaning: 'There is no artifact with this path.',
    fix: 'Use a link that `capture_test_artifacts` returned.',
  },
  HARNESS_NO_ACTION: {
    meaning: 'No tool call or prompt has this id.',
    fix: 'Use the id of a tool call from the history, or the response_id of a prompt.',
  },
  HARNESS_NO_HOOKS: {
    meaning: 'No plugin was named whose hooks could run.',
    fix: 'Name a plugin folder as `plugin`, or a conversation as `session_id`.',
  },
  HARNESS_NO_MCP_FOR_AGENT: {
    meaning: 'MCP servers cannot be passed to this agent.',
    fix: 'Write them into the configuration of that CLI in the project.',
  },
  HARNESS_NO_SERVER: {
    meaning: 'There is no MCP server with this id.',
    fix: 'Start one with `start_mcp_server`.',
  },
  HARNESS_TOO_MANY_SERVERS: {
    meaning: 'As many MCP servers run as the harness allows.',
    fix: 'Stop one with `stop_mcp_server`.',
  },
  HARNESS_PATH_TAKEN: {
    meaning: 'The path belongs to another client of this MCP server.',
    fix: 'Make a project of your own, or choose another folder.',
  },
  HARNESS_PATH_OUTSIDE: {
    meaning: 'The path is outside of the folders for projects.',
    fix: 'Leave the path out, or allow its folder with `--root`.',
  },
} as const;
