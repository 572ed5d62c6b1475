import type { HookEventName } from '../../../claude-code/hooks/events.js';
import { interpretRun } from '../../../claude-code/hooks/verdict.js';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { fire } from '../hooks/fire-if-any.js';
import type { Session } from '../session/session.js';
import { type Task, TaskList } from '../session/task-list.js';
import { type LiveTool, ToolFailure, type ToolRun, text } from '../tools/live-tool.js';

/** One of the tools with which an agent keeps a list of tasks. */
export function taskTool(session: Session, name: string): LiveTool | undefined {
  return TOOLS[name]?.(session, new TaskList(session));
}

const TOOLS: Record<string, (session: Session, list: TaskList) => LiveTool> = {
  TaskCreate: createTool,
  TaskGet: getTool,
  TaskList: listTool,
  TaskUpdate: updateTool,
};

const STRING = { type: 'string' } as const;
const NEEDED = { type: 'string', required: true } as const;
const IDS = { type: 'array', items: 'string' } as const;

function createTool(session: Session, list: TaskList): LiveTool {
  return {
    parameters: { subject: NEEDED, description: NEEDED, activeForm: STRING, metadata: { type: 'record' } },
    repair: repairCreate,
    async run(input, { signal }) {
      const { activeForm, metadata } = input as Partial<Task>;
      const { id, subject, description } = list.create({
        subject: text(input, 'subject'),
        description: text(input, 'description'),
        ...defined({ activeForm, metadata }),
      });
      const objection = await fireAbout(session, 'TaskCreated', { id, subject, description }, signal);
      if (objection !== undefined) {
        list.delete(id);
        throw new ToolFailure(objection.trim());
      }
      return {
        content: `Task #${id} created successfully: ${subject}`,
        useResult: { task: { id, subject, description } },
      };
    },
  };
}

/** Takes other names for its parameters, and one text for the other. Where both are there, what else is wrong is left out. */
function repairCreate(input: JsonObject): JsonObject {
  const { title, name, subject = title ?? name, content, description = content, active_form, metadata } = input;
  const { activeForm = active_form } = input;
  const fixed = { subject: subject ?? firstLine(description), description: description ?? subject };
  if (input['subject'] === null || typeof fixed.subject !== 'string' || typeof fixed.description !== 'string')
    return input;
  return {
    ...fixed,
    ...(typeof activeForm === 'string' ? { activeForm } : {}),
    ...(isObject(metadata) ? { metadata } : {}),
  };
}

function firstLine(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\n.*/s, '').slice(0, 80).trim() : undefined;
}

function getTool(_: Session, list: TaskList): LiveTool {
  return {
    parameters: { taskId: NEEDED },
    async run(input) {
      const task = list.get(text(input, 'taskId'));
      if (task === undefined) return { content: 'Task not found', useResult: { task: null } };
      const { id, subject, description, status, blocks, blockedBy } = task;
      const lines = [
        `Task #${id}: ${subject}`,
        `Status: ${status}`,
        `Description: ${description}`,
        ...(blockedBy.length === 0 ? [] : [`Blocked by: ${numbers(blockedBy)}`]),
        ...(blocks.length === 0 ? [] : [`Blocks: ${numbers(blocks)}`]),
      ];
      return {
        content: lines.join('\n'),
        useResult: { task: { id, subject, description, status, blocks, blockedBy } },
      };
    },
  };
}

function listTool(_: Session, list: TaskList): LiveTool {
  return {
    parameters: {},
    async run() {
      const all = list.all();
      const done = new Set(all.filter(({ status }) => status === 'completed').map(({ id }) => id));
      const tasks = all.map(({ id, subject, status, owner, blockedBy }) => ({
        ...{ id, subject, status },
        ...defined({ owner }),
        blockedBy: blockedBy.filter((other) => !done.has(other)),
      }));
      const lines = tasks.map(({ id, subject, status, owner = '', blockedBy }) => {
        const waits = blockedBy.length === 0 ? '' : ` [blocked by ${numbers(blockedBy)}]`;
        return `#${id} [${status}] ${subject}${owner === '' ? '' : ` (${owner})`}${waits}`;
      });
      return { content: lines.length === 0 ? 'No tasks found' : lines.join('\n'), useResult: { tasks } };
    },
  };
}

function numbers(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(', ');
}

function updateTool(session: Session, list: TaskList): LiveTool {
  return {
    parameters: {
      ...{ taskId: NEEDED, subject: STRING, description: STRING, activeForm: STRING, status: STRING },
      ...{ addBlocks: IDS, addBlockedBy: IDS, owner: STRING, metadata: { type: 'record' } },
    },
    repair({ id, task_id, ...input }) {
      const taskId = id ?? task_id;
      return input['taskId'] === undefined && taskId !== undefined
        ? { taskId, ...input }
        : { ...input, ...defined({ id, task_id }) };
    },
    check: ({ status }) =>
      status === undefined || [...STATUSES, 'deleted'].includes(String(status)) ? undefined : UNKNOWN_STATUS,
    async run(input, { signal }) {
      const taskId = text(input, 'taskId');
      const task = list.get(taskId);
      if (task === undefined) return notUpdated(taskId, 'Task not found');
      const status = text(input, 'status') || task.status;
      const statusChange = { from: task.status, to: status };
      if (status === 'deleted') {
        list.delete(taskId);
        return updated(taskId, ['deleted'], statusChange);
      }
      if (status === 'completed' && task.status !== status) {
        const objection = await fireAbout(session, 'TaskCompleted', task, signal);
        if (objection !== undefined) return notUpdated(taskId, objection);
      }
      const changes = changesOf(task, input);
      list.save({ ...task, ...changes });
      const fields = [...Object.keys(changes), ...addBlockers(list, task, input)];
      return updated(taskId, fields, 'status' in changes ? statusChange : undefined);
    },
  };
}

/** What the input changes: the order of the fields is that in which the model is told. */
function changesOf(task: Task, input: JsonObject): Partial<Task> {
  const given = (field: 'subject' | 'description' | 'activeForm' | 'owner' | 'status'): Partial<Task> =>
    input[field] === undefined || input[field] === task[field] ? {} : { [field]: input[field] };
  const { metadata } = input;
  return {
    ...given('subject'),
    ...given('description'),
    ...given('activeForm'),
    ...given('owner'),
    ...(isObject(metadata) ? { metadata: merged(task.metadata, metadata) } : {}),
    ...given('status'),
  };
}

function merged(old: JsonObject = {}, more: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...old, ...more }).filter(([, value]) => value !== null));
}

/** Lets tasks wait for each other, and names the fields. Ids that nobody has count as well, and are not kept. */
function addBlockers(list: TaskList, { id, blocks, blockedBy }: Task, input: JsonObject): string[] {
  const added = (field: string, old: readonly string[]): string[] =>
    ((input[field] ?? []) as string[]).filter((other) => !old.includes(other));
  const after = added('addBlocks', blocks);
  const before = added('addBlockedBy', blockedBy);
  for (const other of after) list.block(id, other);
  for (const other of before) list.block(other, id);
  return [...(after.length === 0 ? [] : ['blocks']), ...(before.length === 0 ? [] : ['blockedBy'])];
}

function updated(taskId: string, updatedFields: string[], statusChange: JsonObject | undefined): ToolRun {
  return {
    content: `Updated task #${taskId} ${updatedFields.join(', ')}`,
    useResult: { success: true, taskId, updatedFields, ...defined({ statusChange }) },
  };
}

function notUpdated(taskId: string, error: string): ToolRun {
  return { content: error, useResult: { success: false, taskId, updatedFields: [], error } };
}

/** What hooks object to what happens to a task. */
async function fireAbout(
  session: Session,
  event: HookEventName,
  { id, subject, description }: Pick<Task, 'id' | 'subject' | 'description'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const about = { task_id: id, task_subject: subject, task_description: description };
  const { runs = [] } = await fire(session, event, about, signal);
  const objections = runs.flatMap((run) => interpretRun(run).block ?? []);
  if (objections.length === 0) return undefined;
  return objections.map(({ reason }) => `${event} hook feedback:\n${reason || 'Blocked by hook'}`).join('\n');
}

const STATUSES = ['pending', 'in_progress', 'completed'];

/** The CLI has no words of its own for this. */
const UNKNOWN_STATUS = `InputValidationError: ${JSON.stringify(
  [
    {
      code: 'invalid_union',
      errors: [
        [invalidValue(STATUSES, `Invalid option: expected one of ${STATUSES.map((one) => `"${one}"`).join('|')}`)],
        [invalidValue(['deleted'], 'Invalid input: expected "deleted"')],
      ],
      path: ['status'],
      message: 'Invalid input',
    },
  ],
  null,
  2,
)}`;

function invalidValue(values: string[], message: string): JsonObject {
  return { code: 'invalid_value', values, path: [], message };
}
