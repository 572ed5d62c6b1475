import type { IsolationState } from '../isolation/level.js';
import type { ComponentKind, Issue } from './declared/component.js';

/** One component, as it was declared and as the CLI has it. */
export interface ComponentReport {
  kind: ComponentKind;
  /** As the CLI calls it, or would have. */
  name: string;
  status: 'loaded' | 'failed';
  /** Where it is declared, relative to the plugin. */
  file?: string;
  /** Hooks: the event, and what it is matched on. */
  event?: string;
  matcher?: string;
  reason?: string;
  fix?: string;
  /** It loaded, but there is something to know. */
  warnings: string[];
}

/** What the CLI loaded of a plugin, compared with its files. */
export interface PluginReport {
  plugin: string;
  path: string;
  version?: string;
  /** The Claude Code that was asked: `claude@2.1.325`. */
  agent: string;
  /** How far its hooks and servers were kept apart from this machine. Absent where nothing of it was started. */
  isolation?: IsolationState;
  /** The plugin itself is there, and all that it declares. */
  ok: boolean;
  loaded: boolean;
  /** Why nobody looked at it. It is not `ok` then. */
  unjudged?: Issue;
  /** What is wrong with the plugin as a whole. */
  problems: Issue[];
  components: ComponentReport[];
  counts: Record<ComponentKind, { loaded: number; failed: number }>;
  /** What is no mistake, and good to know. */
  notes: string[];
  /** Parts that it has and that are not compared. */
  notCompared: string[];
}

/** Counts the components of each kind. */
export function countComponents(components: readonly ComponentReport[]): PluginReport['counts'] {
  const count = (kind: ComponentKind) => {
    const own = components.filter((component) => component.kind === kind);
    return {
      loaded: own.filter(({ status }) => status === 'loaded').length,
      failed: own.filter(({ status }) => status === 'failed').length,
    };
  };
  return {
    command: count('command'),
    agent: count('agent'),
    skill: count('skill'),
    workflow: count('workflow'),
    hook: count('hook'),
    server: count('server'),
  };
}

/** The report with other components, and the verdict that follows from them. */
export function withComponents(report: PluginReport, components: ComponentReport[]): PluginReport {
  return {
    ...report,
    ok: report.loaded && report.problems.length === 0 && components.every(({ status }) => status === 'loaded'),
    components,
    counts: countComponents(components),
  };
}
