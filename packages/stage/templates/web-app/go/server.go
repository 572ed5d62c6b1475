package main

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
				Title string `json:"title"`
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
