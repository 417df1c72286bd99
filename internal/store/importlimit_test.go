package store

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"
)

// A file with many pictures is larger than any limit, so only one conversation has one. "Export all"
// wrote files that Import refused.
func TestImportLimitsOneConversation(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	conversation := func(size int) string {
		return fmt.Sprintf(`{"id":%q,"title":"a","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z","draft":%q,"turns":[]}`, uuid.NewString(), strings.Repeat(`\"`, size))
	}
	file := func(all ...string) io.Reader {
		return strings.NewReader(`{"format":"goated conversations","version":1,"conversations":[` + strings.Join(all, ",") + `]}`)
	}
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var many []string
	for range 50 {
		many = append(many, conversation(100))
	}
	ids, err := s.importLimited(t.Context(), iotest.OneByteReader(file(many...)), limit, nil)
	if err != nil || len(ids) != len(many) {
		t.Fatalf("%d conversations, %v", len(ids), err)
	}
	var out bytes.Buffer
	if err := s.ExportJSON(t.Context(), &out); err != nil || out.Len() < 10*limit {
		t.Fatalf("the export has %d bytes, %v", out.Len(), err)
	}
	if again, err := s.importLimited(t.Context(), &out, limit, nil); err != nil || len(again) != len(many) {
		t.Errorf("its export: %d conversations, %v", len(again), err)
	}
	for name, r := range map[string]io.Reader{
		"a conversation": file(conversation(100), conversation(limit)),
		"spaces":         io.MultiReader(strings.NewReader(`{"format":`), strings.NewReader(strings.Repeat(" ", 1<<20))),
	} {
		if ids, err := s.importLimited(t.Context(), r, limit, nil); err == nil || !strings.Contains(err.Error(), "larger than") || ids != nil {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
	if list, err := s.Conversations(t.Context()); err != nil || len(list) != 2*len(many) {
		t.Errorf("%d conversations, %v", len(list), err)
	}
}
