import json
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
