/** Tasks in memory, with the rules that hold for them. */
export class TaskStore {
  #tasks = new Map();
  #nextId = 1;

  add(title) {
    const text = typeof title === 'string' ? title.trim() : '';
    if (text === '') throw new RangeError('a task needs a title');
    const task = { id: this.#nextId++, title: text, done: false };
    this.#tasks.set(task.id, task);
    return task;
  }

  finish(id) {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new RangeError('there is no task ' + id);
    task.done = true;
    return task;
  }

  all() {
    return [...this.#tasks.values()];
  }
}
