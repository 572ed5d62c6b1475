import io
import tempfile
import unittest
from pathlib import Path

from notes.cli import run
from notes.store import NoteStore


class NotesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = NoteStore(Path(folder.name) / "notes.json")

    def run_cli(self, *arguments):
        out = io.StringIO()
        run(list(arguments), self.store, out)
        return out.getvalue()

    def test_lists_nothing_at_first(self):
        self.assertEqual(self.run_cli("list"), "")

    def test_lists_notes_in_order(self):
        self.run_cli("add", "milk")
        self.run_cli("add", "bread")
        self.assertEqual(self.run_cli("list"), "1. milk\n2. bread\n")

    def test_removes_by_number(self):
        self.run_cli("add", "milk")
        self.assertEqual(self.run_cli("remove", "1"), "removed: milk\n")
        self.assertEqual(self.run_cli("list"), "")

    def test_refuses_an_empty_note(self):
        with self.assertRaises(ValueError):
            self.run_cli("add", "  ")

    def test_refuses_a_number_that_is_not_there(self):
        with self.assertRaises(ValueError):
            self.run_cli("remove", "3")


if __name__ == "__main__":
    unittest.main()
