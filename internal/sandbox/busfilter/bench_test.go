//go:build linux

package busfilter_test

import (
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter/busfiltertest"
)

// BenchmarkCalls makes calls as a walk of an accessibility tree does, 192 open at a time, of the
// bus itself, so that nothing but messages takes time: without the filter and behind it.
func BenchmarkCalls(b *testing.B) {
	address := bustest.Start(b)
	for _, open := range []int{1, 192} {
		for _, through := range []struct{ name, address string }{{"bus", address}, {"filter", busfiltertest.Behind(b, address, rules)}} {
			b.Run(through.name+map[int]string{1: "/one", 192: "/many"}[open], func(b *testing.B) {
				conn, err := dbus.Connect(through.address)
				if err != nil {
					b.Fatal(err)
				}
				defer conn.Close()
				replies := make(chan *dbus.Call, open)
				b.ReportAllocs()
				b.ResetTimer()
				for sent, got := 0, 0; got < b.N; got++ {
					for ; sent < b.N && sent-got < open; sent++ {
						conn.BusObject().Go("org.freedesktop.DBus.NameHasOwner", 0, replies, friend)
					}
					if c := <-replies; c.Err != nil {
						b.Fatal(c.Err)
					}
				}
			})
		}
	}
}
