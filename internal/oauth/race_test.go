package oauth

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// A host whose IPv6 addresses do not answer costs a moment, not seconds for each request. If no
// address answers, there is a single error, preferably errPrivate.
func TestAddressesRace(t *testing.T) {
	refused := errors.New("connection refused")
	v6, v6b, v4, v4b := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2"), netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for name, tt := range map[string]struct {
		fails map[netip.Addr]error // nil: does not answer; missing: connects
		addrs []netip.Addr
		took  time.Duration
		err   error
	}{
		"first":            {nil, []netip.Addr{v6, v4}, 0, nil},
		"silent IPv6":      {map[netip.Addr]error{v6: nil, v6b: nil}, []netip.Addr{v6, v6b, v4}, headStart, nil},
		"no IPv6":          {map[netip.Addr]error{v6: refused}, []netip.Addr{v6, v4}, 0, nil},
		"silent IPv4":      {map[netip.Addr]error{v4: nil}, []netip.Addr{v4, v6}, headStart, nil},
		"second of one":    {map[netip.Addr]error{v4: nil}, []netip.Addr{v4, v4b}, dialLimit / 2, nil},
		"all refuse":       {map[netip.Addr]error{v4: refused, v6: errors.New("no route")}, []netip.Addr{v4, v6}, 0, refused},
		"one is private":   {map[netip.Addr]error{v4: refused, v6: errPrivate}, []netip.Addr{v4, v6}, 0, errPrivate},
		"nothing answers":  {map[netip.Addr]error{v4: nil, v6: nil}, []netip.Addr{v4, v6}, dialLimit, context.DeadlineExceeded},
		"private and dead": {map[netip.Addr]error{v4: errPrivate, v4b: refused}, []netip.Addr{v4, v4b}, 0, errPrivate},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				conn, err := race(t.Context(), dialLimit, tt.addrs, func(ctx context.Context, ip netip.Addr) (net.Conn, error) {
					switch err, fails := tt.fails[ip]; {
					case !fails:
						own, other := net.Pipe()
						return own, other.Close()
					case err != nil:
						return nil, err
					}
					<-ctx.Done()
					return nil, ctx.Err()
				})
				if took := time.Since(began); took != tt.took || !errors.Is(err, tt.err) || (conn == nil) != (err != nil) {
					t.Errorf("%v after %v, want %v after %v", err, took, tt.err, tt.took)
				}
			})
		})
	}
}
