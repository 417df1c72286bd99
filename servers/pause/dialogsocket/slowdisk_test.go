package dialogsocket

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"goated/servers/pause/dialog"
)

// A receipt must not wait for the disk while it holds the server's mutex, because all other dialogs
// would wait too. The file is up to date when the socket is closed.
func TestReceiptDoesNotWaitForTheDisk(t *testing.T) {
	folder := t.TempDir()
	s, err := Listen(Options{Folder: folder, Ask: func(context.Context, Request) (dialog.Answer, error) { return dialog.Answer{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.answers.put("question", dialog.Answer{Time: time.Now()}, origin{})
	if err != nil {
		t.Fatal(err)
	}
	s.answers.writing.Lock() // simulates a slow write
	s.mu.Lock()
	s.markReceived(&openRequest{client: &client{dialogs: make(map[string]*openRequest)}, key: "question", kept: id})
	s.mu.Unlock()
	if _, kept := s.answers.get("question"); kept {
		t.Error("a received answer would be given again")
	}
	s.answers.writing.Unlock()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := openAnswers(filepath.Join(folder, "answers.json"))
	if err != nil || len(a.kept) > 0 {
		t.Errorf("the file has %d answers: %v", len(a.kept), err)
	}
}
