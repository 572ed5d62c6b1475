import type { Template } from './template.js';

const durations = `"""Durations such as "1h30m": text to seconds, and back."""

import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"(\\d+)([dhms])")


def parse(text):
    """Gives the seconds of a text such as "1h30m"; ValueError when it is none."""
    seconds = 0
    position = 0
    for part in _PART.finditer(text):
        if part.start() != position:
            break
        seconds += int(part.group(1)) * UNITS[part.group(2)]
        position = part.end()
    if position == 0 or position != len(text):
        raise ValueError(f"not a duration: {text!r}")
    return seconds


def format_seconds(seconds):
    """Gives the shortest text for a number of seconds."""
    if seconds < 0:
        raise ValueError("a duration cannot be negative")
    parts = []
    for unit, size in UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
`;

const tests = `import unittest

from durations import format_seconds, parse


class ParseTest(unittest.TestCase):
    def test_reads_one_unit(self):
        self.assertEqual(parse("45s"), 45)

    def test_adds_units_up(self):
        self.assertEqual(parse("1d2h3m4s"), 93784)

    def test_refuses_what_is_no_duration(self):
        for text in ["", "h", "10", "1h ", "1h-5m", "x1h"]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse(text)


class FormatTest(unittest.TestCase):
    def test_leaves_empty_units_out(self):
        self.assertEqual(format_seconds(3600), "1h")

    def test_says_zero(self):
        self.assertEqual(format_seconds(0), "0s")

    def test_refuses_negative_numbers(self):
        with self.assertRaises(ValueError):
            format_seconds(-1)

    def test_is_the_inverse_of_parse(self):
        for seconds in [0, 59, 60, 86399, 93784]:
            self.assertEqual(parse(format_seconds(seconds)), seconds)


if __name__ == "__main__":
    unittest.main()
`;

/** Durations as text, a library without dependencies. */
export const libraryPython: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nReads and writes durations.\n\n\`\`\`python\nfrom durations import format_seconds, parse\n\nparse("1h30m")        # 5400\nformat_seconds(5400)  # "1h30m"\n\`\`\`\n\nTest: \`python3 -m unittest\`\n`,
    '.gitignore': '__pycache__/\n*.pyc\ndist/\n',
    'pyproject.toml': `[project]\nname = "${slug}"\nversion = "0.1.0"\nrequires-python = ">=3.9"\n`,
    'durations/__init__.py':
      'from durations.durations import format_seconds, parse\n\n__all__ = ["format_seconds", "parse"]\n',
    'durations/durations.py': durations,
    'tests/__init__.py': '',
    'tests/test_durations.py': tests,
  }),
  testCommand: ['python3', '-m', 'unittest'],
};
