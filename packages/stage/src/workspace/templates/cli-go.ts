import type { Template } from './template.js';

const store = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Note is one line somebody wanted to remember.
type Note struct {
	Text string \`json:"text"\`
}

var errNoText = errors.New("a note needs a text")

// Store keeps notes in a JSON file.
type Store struct {
	Path string
}

// Load reads all notes; without a file there are none.
func (s Store) Load() ([]Note, error) {
	data, err := os.ReadFile(s.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var notes []Note
	return notes, json.Unmarshal(data, &notes)
}

// Add appends a note and gives back its number.
func (s Store) Add(text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errNoText
	}
	notes, err := s.Load()
	if err != nil {
		return 0, err
	}
	notes = append(notes, Note{Text: text})
	return len(notes), s.save(notes)
}

// Remove takes a note out by its number and gives back its text.
func (s Store) Remove(number int) (string, error) {
	notes, err := s.Load()
	if err != nil {
		return "", err
	}
	if number < 1 || number > len(notes) {
		return "", fmt.Errorf("there is no note %d", number)
	}
	removed := notes[number-1]
	return removed.Text, s.save(append(notes[:number-1], notes[number:]...))
}

func (s Store) save(notes []Note) error {
	data, err := json.MarshalIndent(notes, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.Path, append(data, '\\n'), 0o644)
}
`;

const main = `package main

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
		fmt.Fprintf(out, "note %d added\\n", number)
	case len(arguments) == 2 && arguments[0] == "remove":
		number, err := strconv.Atoi(arguments[1])
		if err != nil {
			return errUsage
		}
		text, err := store.Remove(number)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "removed: %s\\n", text)
	case len(arguments) == 1 && arguments[0] == "list":
		notes, err := store.Load()
		if err != nil {
			return err
		}
		for index, note := range notes {
			fmt.Fprintf(out, "%d. %s\\n", index+1, note.Text)
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
`;

const tests = `package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func runIn(t *testing.T, store Store, arguments ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(arguments, store, &out); err != nil {
		t.Fatalf("%v: %v", arguments, err)
	}
	return out.String()
}

func newStore(t *testing.T) Store {
	return Store{Path: filepath.Join(t.TempDir(), "notes.json")}
}

func TestListsNothingAtFirst(t *testing.T) {
	if got := runIn(t, newStore(t), "list"); got != "" {
		t.Fatalf("got %q", got)
	}
}

func TestListsNotesInOrder(t *testing.T) {
	store := newStore(t)
	runIn(t, store, "add", "milk")
	runIn(t, store, "add", "bread")
	if got := runIn(t, store, "list"); got != "1. milk\\n2. bread\\n" {
		t.Fatalf("got %q", got)
	}
}

func TestRemovesByNumber(t *testing.T) {
	store := newStore(t)
	runIn(t, store, "add", "milk")
	if got := runIn(t, store, "remove", "1"); got != "removed: milk\\n" {
		t.Fatalf("got %q", got)
	}
	if got := runIn(t, store, "list"); got != "" {
		t.Fatalf("got %q", got)
	}
}

func TestRefusesAnEmptyNote(t *testing.T) {
	if err := run([]string{"add", "  "}, newStore(t), &strings.Builder{}); !errors.Is(err, errNoText) {
		t.Fatalf("got %v", err)
	}
}

func TestRefusesANumberThatIsNotThere(t *testing.T) {
	if err := run([]string{"remove", "3"}, newStore(t), &strings.Builder{}); err == nil {
		t.Fatal("it was removed")
	}
}
`;

/** A note keeper in plain Go. */
export const cliGo: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nKeeps notes in a file.\n\n- Run: \`go run . add "buy milk"\`, \`list\`, \`remove 1\`\n- Test: \`go test ./...\`\n`,
    '.gitignore': '/bin/\n*.test\nnotes.json\n',
    'go.mod': `module example.com/${slug}\n\ngo 1.21\n`,
    'main.go': main,
    'main_test.go': tests,
    'store.go': store,
  }),
  testCommand: ['go', 'test', './...'],
  runCommand: ['go', 'run', '.'],
};
