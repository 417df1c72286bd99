// Package relay copies bytes between two connections.
//
// It owns both during the copy. It must not know what they connect.
package relay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"goated/internal/sandbox/httphead"
)

const (
	idleLimit = 15 * time.Minute // a relay ends after this time without data in either direction
	part      = 1 << 20          // bytes between two checks of the clock
)

// CopyBoth copies in both directions until both have ended. If first is not nil, CopyBoth lets first
// copy the beginning of the data from far to near.
func CopyBoth(near, far *net.TCPConn, first func(near io.Writer, far io.Reader) error) {
	var moved atomic.Int64 // time of the last byte, in ns
	moved.Store(time.Now().UnixNano())
	var wg sync.WaitGroup
	wg.Go(func() { half(far, near, &moved) })
	wg.Go(func() {
		if first != nil && first(near, untilIdle{far, &moved}) != nil {
			_, _ = near.Close(), far.Close()
			return
		}
		half(near, far, &moved)
	})
	wg.Wait()
}

// An untilIdle connection is read until no data has moved in either direction for idleLimit.
type untilIdle struct {
	*net.TCPConn
	moved *atomic.Int64
}

func (c untilIdle) Read(b []byte) (int, error) {
	for {
		_ = c.SetReadDeadline(time.Now().Add(idleLimit))
		n, err := c.TCPConn.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) || idle(c.moved) {
			c.moved.Store(time.Now().UnixNano())
			return n, err
		}
	}
}

// idle reports whether idleLimit has passed since a byte moved.
func idle(moved *atomic.Int64) bool { return time.Since(time.Unix(0, moved.Load())) >= idleLimit }

// half copies until the end of the stream, or until no data has moved in either direction for
// idleLimit.
func half(to, from *net.TCPConn, moved *atomic.Int64) {
	for {
		_ = from.SetReadDeadline(time.Now().Add(idleLimit))
		n, err := io.CopyN(to, from, part) // in the kernel, if possible
		if n > 0 {
			moved.Store(time.Now().UnixNano())
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded) && !idle(moved):
		case errors.Is(err, io.EOF):
			_ = to.CloseWrite() // the other direction may continue
			return
		default:
			_, _ = to.Close(), from.Close()
			return
		}
	}
}

// CopyResponse copies the head of a response, including informational responses before it, and tells the
// client that the connection then closes. It copies other protocols unchanged.
func CopyResponse(near io.Writer, far io.Reader) error {
	var seen bytes.Buffer // read but not passed on yet
	buffered := bufio.NewReader(io.TeeReader(far, &seen))
	for {
		head, err := httphead.Read(buffered)
		code, ok := head.Status()
		if err != nil || !ok {
			_, err = near.Write(seen.Bytes())
			return err
		}
		last := code >= 200 || code == 101 // 101 ends HTTP
		if last {
			head = head.WithoutHopByHop()
		}
		if _, err := head.WriteTo(near); err != nil {
			return err
		}
		rest, _ := buffered.Peek(buffered.Buffered())
		if last {
			_, err := near.Write(rest)
			return err
		}
		seen = *bytes.NewBuffer(slices.Clone(rest))
	}
}

// Bounds for a response of [WriteResponse], and for the data that the client may still send after it.
const (
	answerLimit = 10 * time.Second
	lingerBytes = 256 << 10
	lingerLimit = time.Second
)

// WriteResponse sends an HTTP client a response in place of a host's.
func WriteResponse(near *net.TCPConn, status, why string) {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, status)
	_ = near.SetDeadline(time.Now().Add(answerLimit))
	_, _ = fmt.Fprintf(near, "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", line, len(why), why)
	// With unread data, closing would reset the connection before the client receives the response.
	_ = near.CloseWrite()
	_ = near.SetReadDeadline(time.Now().Add(lingerLimit))
	_, _ = io.CopyN(io.Discard, near, lingerBytes)
}
