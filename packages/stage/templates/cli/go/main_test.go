package main

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
	if got := runIn(t, store, "list"); got != "1. milk\n2. bread\n" {
		t.Fatalf("got %q", got)
	}
}

func TestRemovesByNumber(t *testing.T) {
	store := newStore(t)
	runIn(t, store, "add", "milk")
	if got := runIn(t, store, "remove", "1"); got != "removed: milk\n" {
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
