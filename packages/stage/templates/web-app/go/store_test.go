package main

import (
	"errors"
	"testing"
)

func TestStoreNumbersTasksFromOne(t *testing.T) {
	store := &Store{}
	first, _ := store.Add("write")
	second, _ := store.Add("test")
	if first.ID != 1 || second.ID != 2 {
		t.Fatalf("got %d and %d", first.ID, second.ID)
	}
}

func TestStoreRefusesAnEmptyTitle(t *testing.T) {
	if _, err := (&Store{}).Add("   "); !errors.Is(err, errNoTitle) {
		t.Fatalf("got %v", err)
	}
}

func TestStoreFinishesATask(t *testing.T) {
	store := &Store{}
	_, _ = store.Add("write")
	if err := store.Finish(1); err != nil || !store.All()[0].Done {
		t.Fatalf("got %v, %v", err, store.All())
	}
	if err := store.Finish(7); !errors.Is(err, errNoTask) {
		t.Fatalf("got %v", err)
	}
}
