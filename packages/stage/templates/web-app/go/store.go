package main

import (
	"errors"
	"strings"
	"sync"
)

// Task is one entry of the board.
type Task struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

var (
	errNoTitle = errors.New("a task needs a title")
	errNoTask  = errors.New("there is no such task")
)

// Store keeps tasks in memory, in the order in which they came.
type Store struct {
	mu    sync.Mutex
	tasks []Task
}

// Add puts a new task on the board.
func (s *Store) Add(title string) (Task, error) {
	title = strings.TrimSpace(title)
	if title == "" {
		return Task{}, errNoTitle
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	task := Task{ID: len(s.tasks) + 1, Title: title}
	s.tasks = append(s.tasks, task)
	return task, nil
}

// Finish marks a task as done.
func (s *Store) Finish(id int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || id > len(s.tasks) {
		return errNoTask
	}
	s.tasks[id-1].Done = true
	return nil
}

// All gives a copy of the tasks.
func (s *Store) All() []Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Task{}, s.tasks...)
}
