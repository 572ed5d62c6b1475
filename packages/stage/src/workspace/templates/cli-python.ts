import type { Template } from './template.js';

const store = `"""Notes in a JSON file."""

import json
from pathlib import Path


class NoteStore:
    def __init__(self, path):
        self._path = Path(path)

    def load(self):
        if not self._path.exists():
            return []
        return json.loads(self._path.read_text(encoding="utf-8"))

    def add(self, text):
        text = text.strip()
        if not text:
            raise ValueError("a note needs a text")
        notes = self.load()
        notes.append({"text": text})
        self._save(notes)
        return len(notes)

    def remove(self, number):
        notes = self.load()
        if not 1 <= number <= len(notes):
            raise ValueError(f"there is no note {number}")
        removed = notes.pop(number - 1)
        self._save(notes)
        return removed["text"]

    def _save(self, notes):
        self._path.write_text(json.dumps(notes, indent=2) + "\\n", encoding="utf-8")
`;

const cli = `"""The command line: add, list, remove."""

import argparse
import os
import sys

from notes.store import NoteStore


def build_parser():
    parser = argparse.ArgumentParser(prog="notes")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("add", help="write a note down").add_argument("text")
    commands.add_parser("list", help="show all notes")
    commands.add_parser("remove", help="throw a note away").add_argument("number", type=int)
    return parser


def run(arguments, store, out):
    options = build_parser().parse_args(arguments)
    if options.command == "add":
        print(f"note {store.add(options.text)} added", file=out)
    elif options.command == "remove":
        print(f"removed: {store.remove(options.number)}", file=out)
    else:
        for number, note in enumerate(store.load(), start=1):
            print(f"{number}. {note['text']}", file=out)


def main():
    try:
        run(sys.argv[1:], NoteStore(os.environ.get("NOTES_FILE", "notes.json")), sys.stdout)
    except ValueError as error:
        print(f"notes: {error}", file=sys.stderr)
        sys.exit(1)
`;

const tests = `import io
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
        self.assertEqual(self.run_cli("list"), "1. milk\\n2. bread\\n")

    def test_removes_by_number(self):
        self.run_cli("add", "milk")
        self.assertEqual(self.run_cli("remove", "1"), "removed: milk\\n")
        self.assertEqual(self.run_cli("list"), "")

    def test_refuses_an_empty_note(self):
        with self.assertRaises(ValueError):
            self.run_cli("add", "  ")

    def test_refuses_a_number_that_is_not_there(self):
        with self.assertRaises(ValueError):
            self.run_cli("remove", "3")


if __name__ == "__main__":
    unittest.main()
`;

/** A note keeper on argparse. */
export const cliPython: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nKeeps notes in a file.\n\n- Run: \`python3 -m notes add "buy milk"\`, \`list\`, \`remove 1\`\n- Test: \`python3 -m unittest\`\n`,
    '.gitignore': '__pycache__/\n*.pyc\nnotes.json\n',
    'pyproject.toml': `[project]\nname = "${slug}"\nversion = "0.1.0"\nrequires-python = ">=3.9"\n\n[project.scripts]\nnotes = "notes.cli:main"\n`,
    'notes/__init__.py': '',
    'notes/__main__.py': 'from notes.cli import main\n\nmain()\n',
    'notes/cli.py': cli,
    'notes/store.py': store,
    'tests/__init__.py': '',
    'tests/test_notes.py': tests,
  }),
  testCommand: ['python3', '-m', 'unittest'],
  runCommand: ['python3', '-m', 'notes'],
};
