package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	idleLimit = 15 * time.Minute // a tunnel ends after this time without a byte in either direction
	relayPart = 1 << 20          // bytes between two readings of the clock
)

// tunnel connects the server with a host and copies bytes in both directions.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	far, err := p.dial(r.Context(), r.URL.Host)
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		err = errors.Join(err, errors.New("the connection can't be hijacked"))
	}
	if err != nil && !ok {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	near, buffered, hijackErr := hijacker.Hijack()
	if hijackErr != nil {
		if far != nil {
			_ = far.Close()
		}
		return
	}
	if err != nil {
		// Clients show the status line and not the body, so it holds the reason.
		code, why := errorResponse(err)
		_ = near.SetDeadline(time.Now().Add(headerLimit))
		line := strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return ' '
			}
			return r
		}, why)
		_, _ = fmt.Fprintf(near, "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", code, line, len(why), why)
		_ = near.Close()
		return
	}
	defer near.Close()
	defer far.Close()
	ends := []*net.TCPConn{near.(*proxyClient).TCPConn, far.(*net.TCPConn)}
	_ = ends[0].SetDeadline(time.Time{})
	first, _ := buffered.Reader.Peek(buffered.Reader.Buffered()) // bytes that the server sent already
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	if _, err := far.Write(first); err != nil {
		return
	}
	relayBoth(ends[0], ends[1])
}

// relayBoth copies in both directions until both have ended.
func relayBoth(a, b *net.TCPConn) {
	var moved atomic.Int64 // time of the last byte, in ns
	moved.Store(time.Now().UnixNano())
	var wg sync.WaitGroup
	wg.Go(func() { relay(b, a, &moved) })
	wg.Go(func() { relay(a, b, &moved) })
	wg.Wait()
}

// relayTo connects a client that knows no proxy to the host that it means. The caller has
// begun.
func (p *proxy) relayTo(near *proxyClient, host string) {
	defer p.wg.Done()
	defer near.Close()
	far, err := p.dial(p.ctx, host)
	if err != nil {
		_ = near.SetLinger(0) // the process sees a reset
		return
	}
	defer far.Close()
	stop := context.AfterFunc(p.ctx, func() { _ = far.Close() })
	defer stop()
	relayBoth(near.TCPConn, far.(*net.TCPConn))
}

// relay copies until the end of the stream, or until idleLimit has passed without a byte
// in either direction.
func relay(to, from *net.TCPConn, moved *atomic.Int64) {
	for {
		_ = from.SetReadDeadline(time.Now().Add(idleLimit))
		n, err := io.CopyN(to, from, relayPart) // in the kernel, if possible
		if n > 0 {
			moved.Store(time.Now().UnixNano())
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded) && time.Since(time.Unix(0, moved.Load())) < idleLimit:
		case errors.Is(err, io.EOF):
			_ = to.CloseWrite() // the other direction may continue
			return
		default:
			_, _ = to.Close(), from.Close()
			return
		}
	}
}
