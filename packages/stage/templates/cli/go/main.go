package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

var errUsage = errors.New("usage: notes add TEXT | list | remove NUMBER")

// run carries out one command and writes what it has to say to out.
func run(arguments []string, store Store, out io.Writer) error {
	switch {
	case len(arguments) == 2 && arguments[0] == "add":
		number, err := store.Add(arguments[1])
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "note %d added\n", number)
	case len(arguments) == 2 && arguments[0] == "remove":
		number, err := strconv.Atoi(arguments[1])
		if err != nil {
			return errUsage
		}
		text, err := store.Remove(number)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "removed: %s\n", text)
	case len(arguments) == 1 && arguments[0] == "list":
		notes, err := store.Load()
		if err != nil {
			return err
		}
		for index, note := range notes {
			fmt.Fprintf(out, "%d. %s\n", index+1, note.Text)
		}
	default:
		return errUsage
	}
	return nil
}

func main() {
	path := os.Getenv("NOTES_FILE")
	if path == "" {
		path = "notes.json"
	}
	if err := run(os.Args[1:], Store{Path: path}, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
}
