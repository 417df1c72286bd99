package ui_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
)

// A conversation kept the model of a service that the user removed, and asked it without its key.
// It goes on with the model of new conversations, and the window says so.
func TestAConversationOfARemovedServiceFallsBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	d, _ := talking(t, path, "quick:7b")
	d.send("hello")
	d.sees("Answer of quick:7b")
	d.window.Close()
	history, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := history.Conversations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	err = errors.Join(history.SetChoices(t.Context(), list[0].ID, store.Choices{Service: "https://models.gone.example/v1", Model: "lost"}), history.Close())
	if err != nil {
		t.Fatal(err)
	}
	d, service := talking(t, path, "quick:8b")
	d.sees("models.gone.example is no longer among your services. This conversation goes on with the model of new conversations.")
	d.send("again")
	d.sees("Answer of quick:8b")
	if !strings.HasPrefix(service.last(), "quick:8b|") || d.Reads("Lost") {
		t.Errorf("%q answers; the window shows %q", service.last(), d.Texts())
	}
}
