import type { Template } from './template.js';
import { pageFiles } from './web-page.js';

const store = `package main

import (
	"errors"
	"strings"
	"sync"
)

// Task is one entry of the board.
type Task struct {
	ID    int    \`json:"id"\`
	Title string \`json:"title"\`
	Done  bool   \`json:"done"\`
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
`;

const server = `package main

import (
	"encoding/json"
	"net/http"
)

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// newHandler serves the JSON interface and the static page.
func newHandler(store *Store, static string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(static)))
	mux.HandleFunc("/api/tasks", func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			answer(w, http.StatusOK, store.All())
		case http.MethodPost:
			var body struct {
				Title string \`json:"title"\`
			}
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				answer(w, http.StatusBadRequest, map[string]string{"error": "not valid JSON"})
				return
			}
			task, err := store.Add(body.Title)
			if err != nil {
				answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
				return
			}
			answer(w, http.StatusCreated, task)
		default:
			answer(w, http.StatusMethodNotAllowed, map[string]string{"error": "GET or POST"})
		}
	})
	return mux
}
`;

const main = `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	fmt.Println("listening on http://127.0.0.1:" + port)
	if err := http.ListenAndServe("127.0.0.1:"+port, newHandler(&Store{}, "static")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

const storeTest = `package main

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
`;

const serverTest = `package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func request(handler http.Handler, method, path, body string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(method, path, strings.NewReader(body)))
	return recorder
}

func TestServerListsWhatWasAdded(t *testing.T) {
	handler := newHandler(&Store{}, "static")
	if got := request(handler, "POST", "/api/tasks", \`{"title":"write"}\`).Code; got != http.StatusCreated {
		t.Fatalf("got %d", got)
	}
	if got := request(handler, "GET", "/api/tasks", "").Body.String(); !strings.Contains(got, "write") {
		t.Fatalf("got %s", got)
	}
}

func TestServerRefusesATaskWithoutATitle(t *testing.T) {
	handler := newHandler(&Store{}, "static")
	if got := request(handler, "POST", "/api/tasks", \`{"name":"write"}\`).Code; got != http.StatusBadRequest {
		t.Fatalf("got %d", got)
	}
}

func TestServerServesThePage(t *testing.T) {
	if got := request(newHandler(&Store{}, "static"), "GET", "/", "").Body.String(); !strings.Contains(got, "<h1>") {
		t.Fatalf("got %s", got)
	}
}
`;

/** A task board on net/http. */
export const webAppGo: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nA small task board.\n\n- Run: \`PORT=8000 go run .\`\n- Test: \`go test ./...\`\n`,
    '.gitignore': '/bin/\n*.test\n',
    'go.mod': `module example.com/${slug}\n\ngo 1.21\n`,
    'main.go': main,
    'server.go': server,
    'server_test.go': serverTest,
    'store.go': store,
    'store_test.go': storeTest,
    ...pageFiles('static', title),
  }),
  testCommand: ['go', 'test', './...'],
  serveCommand: ['go', 'run', '.'],
};
