import type { Workflow } from './workflow.js';

/** A workflow in pictures: Mermaid for pages, text for terminals. */
export interface WorkflowDescription {
  name: string;
  summary: string;
  mermaid: string;
  text: string;
}

/** Draws a workflow. */
export function describeWorkflow(workflow: Workflow): WorkflowDescription {
  const stages = workflow.stages.filter(
    ({ name }) => name !== workflow.initial && !workflow.final.includes(name),
  ).length;
  return {
    name: workflow.name,
    summary: `${stages} ${stages === 1 ? 'stage' : 'stages'}, ${workflow.transitions.length} transitions${workflow.iterations === undefined ? '' : ', with iterations'}`,
    mermaid: drawMermaid(workflow),
    text: drawText(workflow),
  };
}

/** The stages and the ways between them, for whoever draws it. */
export function outlineOf(workflow: Workflow): {
  initial: string;
  stages: string[];
  transitions: { from: string; to: string }[];
} {
  const pairs = new Map(edges(workflow).map(({ from, to }) => [JSON.stringify([from, to]), { from, to }]));
  return {
    initial: workflow.initial,
    stages: workflow.stages.map(({ name }) => name),
    transitions: [...pairs.values()],
  };
}

function drawMermaid(workflow: Workflow): string {
  const lines = ['stateDiagram-v2', `  [*] --> ${id(workflow.initial)}`];
  for (const { name } of workflow.stages) lines.push(`  ${id(name)} : ${name}`);
  for (const { from, to, on } of edges(workflow)) {
    lines.push(`  ${id(from)} --> ${id(to)} : ${on.replace(/[:;#]/g, ' ')}`);
  }
  for (const name of workflow.final) lines.push(`  ${id(name)} --> [*]`);
  return `${lines.join('\n')}\n`;
}

function drawText(workflow: Workflow): string {
  const lines: string[] = [];
  for (const { name, description, actions } of workflow.stages) {
    const mark = name === workflow.initial ? '▶' : workflow.final.includes(name) ? '■' : '●';
    const loop = name === workflow.iterations?.stage ? ' ↻' : '';
    lines.push(`${mark} ${name}${loop}${description === undefined ? '' : `  ${description}`}`);
    for (const action of actions) lines.push(`│   ☐ ${action.name}`);
    for (const { to, on } of edges(workflow).filter(({ from }) => from === name)) {
      lines.push(`├─▶ ${to}  (${on})`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function edges(workflow: Workflow): { from: string; to: string; on: string }[] {
  const all = workflow.stages.map(({ name }) => name);
  return workflow.transitions.flatMap(({ from, to, on }) =>
    (from.includes('*') ? all : from).map((name) => ({
      from: name,
      to,
      on: on.map(({ description }) => description).join(' or '),
    })),
  );
}

function id(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '_');
}
