"""The command line: add, list, remove."""

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
