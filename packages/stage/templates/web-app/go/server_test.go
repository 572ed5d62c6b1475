package main

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
	if got := request(handler, "POST", "/api/tasks", `{"title":"write"}`).Code; got != http.StatusCreated {
		t.Fatalf("got %d", got)
	}
	if got := request(handler, "GET", "/api/tasks", "").Body.String(); !strings.Contains(got, "write") {
		t.Fatalf("got %s", got)
	}
}

func TestServerRefusesATaskWithoutATitle(t *testing.T) {
	handler := newHandler(&Store{}, "static")
	if got := request(handler, "POST", "/api/tasks", `{"name":"write"}`).Code; got != http.StatusBadRequest {
		t.Fatalf("got %d", got)
	}
}

func TestServerServesThePage(t *testing.T) {
	if got := request(newHandler(&Store{}, "static"), "GET", "/", "").Body.String(); !strings.Contains(got, "<h1>") {
		t.Fatalf("got %s", got)
	}
}
