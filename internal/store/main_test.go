package store_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"goated/internal/store"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("STORE_CHILD"); path != "" {
		if err := child(os.Getenv("STORE_TASK"), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp(memoryFolder(), "goated-store-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"), // a dependency of genai starts it at initialization
		goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(dir)
			os.Exit(code)
		}))
}

// open opens a store and closes it when the test ends.
func open(tb testing.TB, path string) *store.Store {
	tb.Helper()
	s, err := store.Open(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	if s.Warning() != nil {
		tb.Fatal(s.Warning())
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// generate creates an export of one conversation.
func generate(messages int) io.Reader {
	var turns []string
	var parent string
	for i := range messages / 2 {
		id := uuid.NewString()
		ask, answer := quote(words(2*i)), quote(words(2*i+1))
		turns = append(turns, fmt.Sprintf(`{"id":%q,"parent":%q,"user":[{"text":%s}],
			"events":[{"type":"text","text":%s},{"type":"turn_ended","reason":"done","steps":1,"usage":{"prompt":12,"answer":34,"thought":0}}],
			"contents":[{"parts":[{"text":%s}],"role":"user"},{"parts":[{"text":%s,"thoughtSignature":"c2lnbmF0dXJlIG9mIHRoaXMgcGFydA=="}],"role":"model"}],
			"started":"2026-01-02T03:04:05.678Z","ended":"2026-01-02T03:04:06.789Z"}`, id, parent, ask, answer, ask, answer))
		parent = id
	}
	return strings.NewReader(fmt.Sprintf(`{"format":"goated conversations","version":1,"conversations":[
		{"id":%q,"title":"A long one","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":%q,"turns":[%s]}]}`,
		uuid.NewString(), parent, strings.Join(turns, ",")))
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// show formats a history for a failure message.
func show(tb testing.TB, h any) string {
	tb.Helper()
	data, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func distant() time.Time { return time.Now().Add(24 * time.Hour) }

// rows counts the rows of a table without the store.
func rows(tb rapid.TB, path, table string) (n int) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		tb.Fatal(err)
	}
	return n
}

// integrity returns SQLite's verdict on a file.
func integrity(tb rapid.TB, path string) (verdict string) {
	tb.Helper()
	if err := checkIntegrity(path); err != nil {
		return err.Error()
	}
	return "ok"
}

func read(tb rapid.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
