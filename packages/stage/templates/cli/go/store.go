package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Note is one line somebody wanted to remember.
type Note struct {
	Text string `json:"text"`
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
	return os.WriteFile(s.Path, append(data, '\n'), 0o644)
}
