package goroutines_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"goated/internal/goroutines"
)

// The goroutine of a request with too large a header went on after its server was closed.
func TestNoConnectionOutlivesItsServer(t *testing.T) {
	before := goleak.IgnoreCurrent()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	s := &http.Server{ConnState: goroutines.Connections(&work), MaxHeaderBytes: 1}
	work.Go(func() { _ = s.Serve(l) })
	for _, request := range []string{"", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\r\nName: " + strings.Repeat("a", 8<<10)} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		if request != "" {
			if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	work.Wait()
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}
