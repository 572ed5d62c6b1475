/** What the real CLI does and the stand-in does not, each with the message where it is asked for (decision 0022). */
export const REFUSED = {
  backgroundShells: 'The stand-in does not let commands of the shell run in the background, or go on after their time.',
  calledForks: 'The stand-in does not play a skill with `context: fork` that the model calls:',
  controlRequests: 'The stand-in does not answer the control request',
  commands: 'The stand-in does not play commands that Claude Code answers itself, but for /clear and /compact.',
  compaction: 'The stand-in does not compact a conversation that is too long for the model.',
  expensiveTools: 'The stand-in does not judge several tools of the message that ends the budget.',
  fileCheckpoints: 'The stand-in does not keep earlier states of files (enableFileCheckpointing).',
  promptsMeanwhile:
    'The stand-in does not send the agent, next to its tool results, what the user says while it works.',
  urgency: 'The stand-in does not receive messages at another time than the next turn (priority).',
  forkedSkills:
    'The stand-in does not ask the model where a Stop hook objects to the end of a skill with `context: fork`.',
  installedPlugins: 'The stand-in does not load plugins that settings enable.',
  largeFiles: 'The stand-in does not read files that are too large to show.',
  laterMemory: 'The stand-in does not load the instructions of a folder, or for some files, that the agent comes to.',
  longSleeps:
    'The stand-in does not refuse, as Claude Code does, a command that begins with waiting for 25 seconds or more.',
  neededPlugins: 'The stand-in does not look for plugins that others need:',
  notebooks: 'The stand-in does not change notebooks (.ipynb).',
  otherAnswers: 'The stand-in does not show what a server gives beside text and images (sounds, resources):',
  otherFiles:
    'The stand-in does not read or change files that are no UTF-8 text (images, notebooks, PDF, binary files)',
  otherMarks: 'The stand-in does not look for a text with other quotation marks than those of the file.',
  otherQuestions:
    'The stand-in does not take other numbers of questions than 1 to 4, and of options than 2 to 4 (AskUserQuestion).',
  otherResults: 'The stand-in does not show another result of a tool than of a server (updatedToolOutput).',
  otherSearches: 'The stand-in does not search with the patterns and options of ripgrep that others do not have:',
  otherSkills: 'The stand-in does not say why a command, or a skill of a plugin that did not load, is no skill:',
  otherTools: 'The stand-in does not notice that a server has changed its tools:',
  serverPrompts: 'The stand-in does not list or expand prompts of MCP servers.',
  serverQuestions: 'The stand-in does not ask the user what an MCP server wants to know (elicitation).',
  switchHooks: 'The stand-in does not run hooks of a change of the model (PreModelSwitch, PostModelSwitch).',
  toolHooks: 'The stand-in does not run hooks that call a tool of a server (type "mcp_tool").',
  wakingHooks: 'The stand-in does not run hooks that wake the agent later (asyncRewake).',
  workflows: 'The stand-in does not list or run workflows.',
  worktrees: 'The stand-in does not make worktrees for subagents (isolation).',
  webHooks: 'The stand-in does not run hooks that post to a server (type "http").',
} as const;

/** The way out of each refusal. */
export const USE_REAL = 'Use the real CLI (`--stage scripted`).';
