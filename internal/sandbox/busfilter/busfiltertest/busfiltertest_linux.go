package busfiltertest

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/busfilter"
)

// Behind returns the address of a filter in front of a bus. The filter is closed when the test ends.
func Behind(t testing.TB, address string, r busfilter.Rules) string {
	t.Helper()
	path, _, _ := strings.Cut(strings.TrimPrefix(address, "unix:path="), ",")
	dir, err := os.MkdirTemp("", "bus") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	f, err := busfilter.New()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "bus"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return // the test ends
			}
			if err := f.Join(c, &unix.SockaddrUnix{Name: path}, r); err != nil {
				t.Errorf("connecting to the bus: %v", err)
			}
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		accepting.Wait()
		f.Close()
		_ = os.RemoveAll(dir)
	})
	return "unix:path=" + filepath.Join(dir, "bus")
}
