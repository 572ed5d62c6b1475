"""The web server: a JSON interface and the static page."""

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
