package registry

import (
	"fmt"
	"slices"
)

// Check verifies every invariant of the registry and returns the first violation. It visits all
// tools. Tests call it after each step, and the host does if client.Options.Debug is set.
func (r *Registry) Check() error {
	if !slices.IsSortedFunc(r.All(), compare) {
		return fmt.Errorf("registry: entries are not in order")
	}
	if len(r.byName) != len(r.All()) {
		return fmt.Errorf("registry: %d names for %d tools", len(r.byName), len(r.All()))
	}
	taken := make(map[string]int)
	for _, e := range r.All() {
		if got := r.byName[e.Name]; got == nil || *got != e {
			return fmt.Errorf("registry: %q is not the name of its entry", e.Name)
		}
		if want := Qualify(e.Server, e.Tool.Name); e.Name != want {
			return fmt.Errorf("registry: tool %q of %s is named %q, want %q", e.Tool.Name, e.Server, e.Name, want)
		}
		o := r.servers[e.Server]
		if o == nil {
			return fmt.Errorf("registry: %q belongs to %s, which has no offer", e.Name, e.Server)
		}
		if !slices.Contains(o.tools, e.Tool) {
			return fmt.Errorf("registry: %q was never offered by %s", e.Name, e.Server)
		}
		taken[e.Server]++
	}
	for id, o := range r.servers {
		if taken[id]+len(o.off)+len(o.uncallable) != len(o.tools) {
			return fmt.Errorf("registry: %s offered %d tools, %d are taken, %d off and %d uncallable", id, len(o.tools), taken[id], len(o.off), len(o.uncallable))
		}
		for _, e := range o.off {
			if _, ok := r.byName[e.Name]; ok {
				return fmt.Errorf("registry: %q is off and can be called", e.Name)
			}
		}
		for _, p := range o.uncallable {
			if p.Reason == "" {
				return fmt.Errorf("registry: a tool of %s is uncallable without a reason", id)
			}
		}
	}
	return nil
}
