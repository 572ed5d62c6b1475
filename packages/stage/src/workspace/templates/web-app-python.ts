import type { Template } from './template.js';
import { pageFiles } from './web-page.js';

const store = `"""Tasks in memory, with the rules that hold for them."""

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
`;

const server = `"""The web server: a JSON interface and the static page."""

import json
import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from board.store import TaskStore

STATIC = Path(__file__).resolve().parent.parent / "static"


class Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args, store, **kwargs):
        self.store = store
        super().__init__(*args, directory=str(STATIC), **kwargs)

    def do_GET(self):
        if self.path == "/api/tasks":
            self._answer(200, self.store.all())
        else:
            super().do_GET()

    def do_POST(self):
        if self.path != "/api/tasks":
            return self._answer(404, {"error": "no such resource"})
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            task = self.store.add(json.loads(body)["title"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._answer(400, {"error": "a task needs a title"})
        self._answer(201, {"id": task.id, "title": task.title, "done": task.done})

    def log_message(self, *args):
        """Quiet: a test run is no place for an access log."""

    def _answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def create_server(port, store=None):
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, store=store or TaskStore()))


def main():
    server = create_server(int(os.environ.get("PORT", "8000")))
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
`;

const storeTest = `import unittest

from board.store import TaskStore


class TaskStoreTest(unittest.TestCase):
    def test_numbers_tasks_from_one(self):
        store = TaskStore()
        self.assertEqual([store.add("write").id, store.add("test").id], [1, 2])

    def test_refuses_an_empty_title(self):
        with self.assertRaises(ValueError):
            TaskStore().add("   ")

    def test_finishes_a_task(self):
        store = TaskStore()
        store.add("write")
        store.finish(1)
        self.assertEqual(store.all(), [{"id": 1, "title": "write", "done": True}])

    def test_does_not_finish_what_is_not_there(self):
        with self.assertRaises(KeyError):
            TaskStore().finish(7)


if __name__ == "__main__":
    unittest.main()
`;

const serverTest = `import json
import threading
import unittest
import urllib.error
import urllib.request

from board.server import create_server


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.server = create_server(0)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def request(self, path, value=None):
        data = None if value is None else json.dumps(value).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data)) as answer:
            return answer.status, answer.read().decode()

    def test_lists_what_was_added(self):
        self.assertEqual(self.request("/api/tasks", {"title": "write"})[0], 201)
        self.assertEqual(json.loads(self.request("/api/tasks")[1])[0]["title"], "write")

    def test_refuses_a_task_without_a_title(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.request("/api/tasks", {"name": "write"})
        self.assertEqual(caught.exception.code, 400)
        caught.exception.close()

    def test_serves_the_page(self):
        self.assertIn("<h1>", self.request("/")[1])


if __name__ == "__main__":
    unittest.main()
`;

/** A task board on http.server. */
export const webAppPython: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nA small task board.\n\n- Run: \`PORT=8000 python3 -m board\`\n- Test: \`python3 -m unittest\`\n`,
    '.gitignore': '__pycache__/\n*.pyc\n',
    'pyproject.toml': `[project]\nname = "${slug}"\nversion = "0.1.0"\nrequires-python = ">=3.9"\n`,
    'board/__init__.py': '',
    'board/__main__.py': 'from board.server import main\n\nmain()\n',
    'board/store.py': store,
    'board/server.py': server,
    'tests/__init__.py': '',
    'tests/test_store.py': storeTest,
    'tests/test_server.py': serverTest,
    ...pageFiles('static', title),
  }),
  testCommand: ['python3', '-m', 'unittest'],
  serveCommand: ['python3', '-m', 'board'],
};
