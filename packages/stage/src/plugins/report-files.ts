import { fixOfAgent } from './compare-texts.js';
import type { DeclaredComponent, DeclaredPlugin, DeclaredText, Issue } from './declared/component.js';
import { type ComponentReport, countComponents, type PluginReport, withComponents } from './report.js';

/** Judges a plugin by its files alone: what the real CLI would refuse, drop or never run. */
export function reportFiles(declared: DeclaredPlugin): PluginReport {
  const problems = [...declared.issues, ...declared.refusals];
  const seen = new Map<string, DeclaredText>();
  const components = declared.components.map((component) => reportComponent(declared, component, seen));
  const loaded = !declared.issues.some(({ reason }) => reason.startsWith('.claude-plugin/plugin.json'));
  const report: PluginReport = {
    plugin: declared.name,
    path: declared.root,
    agent: 'files',
    ok: false,
    loaded,
    problems,
    components,
    counts: countComponents(components),
    notes: declared.notes,
    notCompared: declared.notCompared,
  };
  return withComponents(report, components);
}

function reportComponent(
  { name: plugin, isProject }: DeclaredPlugin,
  component: DeclaredComponent,
  seen: Map<string, DeclaredText>,
): ComponentReport {
  const { kind, file, issue } = component;
  const base = { kind, file, warnings: [] };
  const own =
    component.kind === 'hook' ? component.text : component.kind === 'server' ? component.name : component.names[0];
  const place =
    component.kind === 'hook'
      ? { name: component.text, event: component.event, matcher: component.matcher }
      : { name: isProject === true ? `${own}` : `${plugin}:${own}` };
  const wrong =
    issue ??
    ('defect' in component ? component.defect : undefined) ??
    ('names' in component
      ? (rival(component, seen) ?? (isProject === true ? undefined : undescribed(component)))
      : undefined);
  return wrong === undefined
    ? { ...base, ...place, status: 'loaded' }
    : { ...base, ...place, status: 'failed', ...wrong };
}

/** Commands, skills and workflows share their names; agents have their own. One file keeps the name. */
function rival(text: DeclaredText, seen: Map<string, DeclaredText>): Issue | undefined {
  const key = `${text.kind === 'agent' ? 'agent' : 'command'} ${text.names[0]}`;
  const other = seen.get(key);
  seen.set(key, other ?? text);
  if (other === undefined) return undefined;
  return { reason: `${other.file} has the same name, and the CLI loads one of them`, fix: 'Give one another name.' };
}

/** Without a description the model cannot know when to use it. */
function undescribed(text: DeclaredText): Issue | undefined {
  const { kind, description, hidesFromModel, file } = text;
  if (description !== undefined || kind === 'command' || kind === 'workflow') return undefined;
  if (kind === 'skill' && hidesFromModel) return undefined;
  return {
    reason: `it has no description, so the model ${kind === 'agent' ? 'cannot know when to use it' : 'does not see it'}`,
    fix: kind === 'agent' ? fixOfAgent(text) : `Begin ${file} with front matter that has a description.`,
  };
}
