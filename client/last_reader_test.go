package client

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// What lies in a pipe is read although its deadline is over, and a pipe that
// somebody holds open has an end.
func TestLastReader(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := r.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Skip(err) // where pipes have none
	}
	if _, err := w.WriteString(strings.Repeat("x", 10_000)); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(&lastReader{f: r}); len(got) != 10_000 {
		t.Errorf("%d bytes", len(got))
	}
}
