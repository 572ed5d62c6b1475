"""Notes in a JSON file."""

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
        self._path.write_text(json.dumps(notes, indent=2) + "\n", encoding="utf-8")
