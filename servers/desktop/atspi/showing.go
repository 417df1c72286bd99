package atspi

import (
	"context"

	"github.com/godbus/dbus/v5"
)

// A matchRule is AT-SPI's query for Collection.GetMatches.
type matchRule struct {
	States         []int32
	StateMatch     int32
	Attributes     map[string]string
	AttributeMatch int32
	Roles          []int32
	RoleMatch      int32
	Interfaces     []string
	InterfaceMatch int32
	Invert         bool
}

// The values that this package uses in a matchRule and in the call.
const (
	matchAll  = 1
	sortTree  = 1
	anyNumber = int32(0)
)

// showing asks the roots, whose children are missing from the cache, for all of their descendants that
// are on the screen. Chromium omits web pages from its cache. A page may have thousands of elements,
// but the screen shows about two hundred, so showing reads these first.
func (w *walk) showing(ctx context.Context, roots []item, seen map[Ref]bool) {
	const states = uint64(1)<<StateShowing | uint64(1)<<StateVisible
	rule := matchRule{
		States: []int32{int32(uint32(states)), int32(uint32(states >> 32))}, StateMatch: matchAll, AttributeMatch: matchAll, RoleMatch: matchAll, InterfaceMatch: matchAll,
		Attributes: map[string]string{}, Roles: []int32{}, Interfaces: []string{},
	}
	var q []request
	for _, root := range roots {
		if root.interfaces&InterfaceCollection == 0 || root.role == RoleApplication {
			continue
		}
		q = append(q, request{root.ref, "org.a11y.atspi.Collection.GetMatches", []any{rule, uint32(sortTree), anyNumber, true}, func(body []any) {
			pairs, _ := first[[][]any](body)
			for i, r := range refsOf(pairs) {
				if r.Bus != root.ref.Bus || seen[r] || w.items[r] != nil || len(w.items) >= w.most {
					continue
				}
				it := &item{ref: r, index: int32(i), count: -1}
				w.items[r] = it
				w.order = append(w.order, r)
				q = append(q, w.describe(it)...)
				q = append(q, request{r, propertiesIface + ".Get", []any{accessibleIface, "Parent"}, func(body []any) {
					v, _ := first[dbus.Variant](body)
					it.parent = refOf(v.Value())
				}})
			}
		}})
	}
	ask(ctx, w.b, w.app, queue(&q))
}
