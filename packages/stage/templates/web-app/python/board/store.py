"""Tasks in memory, with the rules that hold for them."""

from dataclasses import asdict, dataclass


@dataclass
class Task:
    id: int
    title: str
    done: bool = False


class TaskStore:
    def __init__(self):
        self._tasks = {}
        self._next_id = 1

    def add(self, title):
        title = title.strip()
        if not title:
            raise ValueError("a task needs a title")
        task = Task(self._next_id, title)
        self._tasks[task.id] = task
        self._next_id += 1
        return task

    def finish(self, task_id):
        """Marks a task as done; KeyError when there is none of that id."""
        task = self._tasks[task_id]
        task.done = True
        return task

    def all(self):
        return [asdict(task) for task in self._tasks.values()]
