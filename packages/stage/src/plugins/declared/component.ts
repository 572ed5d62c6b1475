/** The kinds of components that are compared. */
export const componentKinds = ['command', 'agent', 'skill', 'workflow', 'hook', 'server'] as const;

export type ComponentKind = (typeof componentKinds)[number];

/** Why something does not work, and what to do about it. */
export interface Issue {
  reason: string;
  fix: string;
}

/** A command, agent or skill (a Markdown file, or an entry of the manifest), or a workflow (a script). */
export interface DeclaredText {
  kind: 'command' | 'agent' | 'skill' | 'workflow';
  /** The names that the CLI may give it, without the plugin's; the first one comes from its place. */
  names: string[];
  /** Relative to the plugin. */
  file: string;
  /** Its own description, where its front matter has one. */
  description?: string;
  /** The tools of an agent, where it names them. */
  tools?: string[];
  /** It has no front matter at all: perhaps it is only a text that lies there. */
  isBare?: true;
  /** The file says that the model must not call it, so the model does not see it. */
  hidesFromModel: boolean;
  /** It loads, but not as its author may think. */
  warning?: string;
  /** Why it cannot load. */
  issue?: Issue;
  /** Why it does not work though it loads. */
  defect?: Issue;
  /** Why a stand-in cannot know whether a line that it runs is allowed: only the real CLI plays it. */
  undecided?: string;
}

export interface DeclaredHook {
  kind: 'hook';
  event: string;
  matcher: string;
  type: string;
  /** What the CLI shows of it: the command with its arguments, a prompt, an address. */
  text: string;
  /** The program and its arguments, for a hook that runs without a shell. */
  command?: string;
  args?: string[];
  timeoutSeconds?: number;
  /** A permission rule that must fit too: `Bash(git *)`. */
  condition?: string;
  /** Where it stands in its file: `hooks.PreToolUse.0.hooks.0`. */
  path?: string;
  /** The CLI does not wait for it: the turn may be over before it ends. */
  background?: true;
  file: string;
  /** It is loaded, but may not do what its author thinks. */
  warning?: string;
  issue?: Issue;
  defect?: Issue;
}

export interface DeclaredServer {
  kind: 'server';
  name: string;
  file: string;
  /** The command line or address, to try it by hand. */
  how?: string;
  /** It is started, but may lack something. */
  warning?: string;
  issue?: Issue;
}

export type DeclaredComponent = DeclaredText | DeclaredHook | DeclaredServer;

/** A plugin as its files describe it, or a project: what stands in its `.claude`. */
export interface DeclaredPlugin {
  root: string;
  /** The names of its parts have no name before them. */
  isProject?: true;
  /** The name of its manifest, else its folder's. */
  name: string;
  components: DeclaredComponent[];
  /** What is wrong with the plugin as a whole. */
  issues: Issue[];
  /** More of that, which the CLI says itself when it loads the plugin. */
  refusals: Issue[];
  /** What is no mistake, and good to know. */
  notes: string[];
  /** Parts that it has and that are not compared. */
  notCompared: string[];
}
