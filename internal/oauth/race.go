package oauth

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// headStart is the time in which only the first address family is tried. [net.Dialer] uses the same
// time (RFC 6555, section 5).
const headStart = 300 * time.Millisecond

// An attempt is the result of an attempt to connect.
type attempt struct {
	conn net.Conn
	err  error
}

// race connects to one of the addresses within limit. [net.Dialer] does the same, but only with
// addresses from its own lookup. The family of the first address gets a head start, so a network
// without IPv6 costs no extra time. The error is the first one, or errPrivate.
func race(ctx context.Context, limit time.Duration, addrs []netip.Addr, connect func(context.Context, netip.Addr) (net.Conn, error)) (net.Conn, error) {
	var first, other []netip.Addr
	for _, ip := range addrs {
		if ip.Unmap().Is4() == addrs[0].Unmap().Is4() {
			first = append(first, ip)
		} else {
			other = append(other, ip)
		}
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	head := time.NewTimer(headStart)
	defer head.Stop()
	done := make(chan attempt)
	begin := func(family []netip.Addr) { go func() { done <- inTurn(ctx, family, connect) }() }
	begin(first)
	var won net.Conn
	var failed error
	for running := 1; running > 0; {
		select {
		case <-head.C:
		case a := <-done:
			running--
			switch {
			case a.err != nil:
				failed = telling(failed, a.err)
			case won == nil:
				won = a.conn
				stop() // ends the other family
			default:
				_ = a.conn.Close()
			}
		}
		if won == nil && len(other) > 0 {
			running++
			begin(other)
			other = nil
		}
	}
	if won != nil {
		return won, nil
	}
	return nil, failed
}

// inTurn tries addresses one after another. It divides the remaining time evenly among the
// remaining addresses.
func inTurn(ctx context.Context, addrs []netip.Addr, connect func(context.Context, netip.Addr) (net.Conn, error)) (a attempt) {
	end, _ := ctx.Deadline()
	for i, ip := range addrs {
		one, stop := context.WithTimeout(ctx, time.Until(end)/time.Duration(len(addrs)-i))
		conn, err := connect(one, ip)
		stop()
		if err == nil {
			return attempt{conn: conn}
		}
		a.err = telling(a.err, err)
	}
	return a
}

// telling chooses which of two errors to show: the first one, unless the second is errPrivate.
func telling(first, next error) error {
	if first == nil || errors.Is(next, errPrivate) {
		return next
	}
	return first
}
