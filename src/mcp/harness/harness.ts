import { join } from 'node:path';
import type { Stage } from '@understudy/agents';
import { createScratch, makeFolder, runAllSteps, type Scratch } from '@understudy/kit';
import { type FiredHook, Mocks } from '@understudy/stage';
import { Conversations } from './conversations.js';
import { type ClientFolders, FolderClaims } from './folder-claims.js';
import type { HeldConversation } from './held-conversation.js';
import { freshId } from './ids.js';
import { InstalledPlugins } from './installed-plugins.js';
import { defaultLimits, type HarnessLimits } from './limits.js';
import { StartedServers } from './mcp-servers/started-servers.js';
import { Projects } from './projects.js';
import { assertStageAllowed, type HeldConversationOptions, startConversation } from './start-conversation.js';

export interface HarnessOptions {
  /** Folders below which projects may lie; a scratch folder is always one. */
  roots?: readonly string[];
  /** Captured artifacts go here; absent, into the scratch folder, which goes with the harness. */
  artifacts?: string;
  /** The folders of all users of one server. Nobody may use those of another one. */
  claims?: FolderClaims;
  limits?: Partial<HarnessLimits>;
  /** Of Understudy, for the results of runs. */
  version?: string;
  /** Conversations with the real model may be had, with the credentials of the environment. */
  allowLive?: boolean;
}

export interface ResetResult {
  conversations: number;
  servers: number;
  mocks: number;
  plugins: number;
  removed: string[];
  kept: { path: string; reason: string }[];
}

/** Everything that one MCP client has: projects, conversations, plugins, servers. All of it goes when the client does. */
export class Harness {
  readonly conversations: Conversations;
  readonly projects: Projects;
  readonly plugins: InstalledPlugins;
  readonly servers: StartedServers;
  readonly mocks: Mocks;
  /** Hooks that were run by hand. */
  readonly triggered: FiredHook[] = [];
  /** Where captured artifacts go. */
  readonly artifacts: string;
  readonly #folders: ClientFolders;
  readonly #scratch: Scratch;
  readonly #options: HarnessOptions;
  #closed: Promise<void> | undefined;

  constructor(options: HarnessOptions = {}) {
    this.#options = options;
    const limits = { ...defaultLimits, ...options.limits };
    this.#scratch = createScratch('harness');
    this.conversations = new Conversations(limits);
    this.#folders = (options.claims ?? new FolderClaims()).newClient();
    this.#folders.claim(this.#scratch.path);
    this.projects = new Projects(this.#folder('projects'), options.roots ?? [], this.#folders);
    this.plugins = new InstalledPlugins(this.#folder('plugins'));
    this.servers = new StartedServers(limits.servers);
    this.mocks = new Mocks(this.#folder('mocks'));
    this.artifacts = options.artifacts ?? this.#folder('artifacts');
  }

  /** Starts a conversation in a project; without one, in an empty folder. */
  startConversation(options: HeldConversationOptions & { project?: string | undefined }): Promise<HeldConversation> {
    return this.conversations.add(async () => {
      const project = options.project === undefined ? this.projects.empty() : this.projects.folder(options.project);
      return startConversation(options, {
        folder: this.#folder('conversations'),
        project,
        mocks: this.mocks,
        installed: await this.plugins.folders(),
        allowLive: this.#options.allowLive === true,
      });
    });
  }

  get version(): string {
    return this.#options.version ?? '';
  }

  /** Throws if the stage would spend money that nobody allowed. */
  assertAllowed(stage: Stage): void {
    assertStageAllowed(stage, this.#options.allowLive === true);
  }

  /** A folder of our own that goes when the harness goes. */
  scratchFolder(purpose: string): string {
    return this.#folder(freshId(purpose));
  }

  /** Back to the beginning: ends what runs and removes what was made. */
  async reset(): Promise<ResetResult> {
    const conversations = await this.conversations.endAll('the environment was reset');
    const servers = await this.servers.stopAll();
    const mocks = this.mocks.clear();
    this.triggered.length = 0;
    const plugins = await this.plugins.clear();
    return { conversations, servers, mocks, plugins, ...this.projects.clear() };
  }

  /** Ends everything. Safe to call twice. */
  close(reason = 'the harness was closed'): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  async #close(reason: string): Promise<void> {
    await runAllSteps([
      () => this.conversations.close(reason),
      () => this.servers.stopAll(),
      () => this.projects.clear(),
      () => this.#folders.release(),
      () => this.#scratch.remove(),
    ]);
  }

  #folder(name: string): string {
    const folder = join(this.#scratch.path, name);
    makeFolder(folder);
    return folder;
  }
}
