package stdio

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A drainReader reads the rest of a pipe after its deadline, and stops although a process holds the
// pipe open.
func TestDrainReader(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := r.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Skip(err) // the system has no deadlines for pipes
	}
	if _, err := w.WriteString(strings.Repeat("x", 10_000)); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(&drainReader{f: r}); len(got) != 10_000 {
		t.Errorf("%d bytes", len(got))
	}
}
