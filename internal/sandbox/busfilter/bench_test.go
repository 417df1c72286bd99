//go:build linux

package busfilter_test

import (
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter/busfiltertest"
)

// BenchmarkCalls makes calls like a walk through an accessibility tree, with 192 open at a time. It
// calls the bus itself, so that only the messages take time, both without and through the filter.
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
