package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// An import starts to write before the rest of its file is decoded. A later mistake, inside a
// conversation or between two, still changes nothing, and the error contains its position. A file in
// another form than ExportJSON writes is also read.
func TestImportFindsLateMistakes(t *testing.T) {
	t.Parallel()
	conversation := func(title, turns string) string {
		return fmt.Sprintf(`{"id":"%s","title":%s,"created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z","turns":%s}`, uuid.NewString(), title, turns)
	}
	first, second := conversation(`"one"`, "[]"), conversation(`"two"`, "[]")
	file := func(all ...string) string {
		return `{"format":"goated conversations","version":1,"conversations":[` + strings.Join(all, ",\n") + "\n]}\n"
	}
	for name, tt := range map[string]struct{ file, want string }{
		"a title that is a number":   {file(first, conversation("4", "[]")), "byte "},
		"a turn that is a text":      {file(first, conversation(`"two"`, `["x"]`)), "byte "},
		"a text between":             {strings.Replace(file(first, second), ",\n", ` x,`+"\n", 1), "byte "},
		"a text behind":              {file(first, second) + "x", "byte "},
		"an end too early":           {strings.TrimSuffix(file(first, second), "]}\n"), "unexpected EOF"},
		"a brace of another kind":    {strings.TrimSuffix(file(first, second), "]}\n") + "}}\n", "byte "},
		"a comma too many":           {file(first, second, ""), "byte "},
		"a value without end inside": {file(first, `{"id":"x`), "byte "},
		"a newer version":            {strings.Replace(file(first), `"version":1`, `"version":2`, 1), "version 2"},
		"no version":                 {strings.Replace(file(first), `"version":1,`, ``, 1), "version 0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "history.db"))
			ids, err := s.Import(t.Context(), strings.NewReader(tt.file), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v instead of an error with %q", ids, err, tt.want)
			}
			if list, err := s.Conversations(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("%d conversations, %v", len(list), err)
			}
		})
	}
	for name, doc := range map[string]string{
		"other order and spaces": ` { "version" : 1 , "conversations" : [ ` + first + ` , ` + second + ` ] , "format" : "goated conversations" } `,
		"other letters":          `{"Format":"goated conversations","VERSION":1,"conversations":[` + first + `,` + second + `]}`,
		"an unknown member":      `{"format":"goated conversations","version":1,"by":"x","conversations":[` + first + `,` + second + `]}`,
		"escapes in a name":      `{"f\u006frmat":"goated conversations","version":1,"conversations":[` + first + `,` + second + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "history.db"))
			if ids, err := s.Import(t.Context(), strings.NewReader(doc), nil); err != nil || len(ids) != 2 {
				t.Errorf("%v, %v", ids, err)
			}
		})
	}
}
