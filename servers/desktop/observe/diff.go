// Package observe finds out what changed on a desktop between two looks, and runs the
// observations of the desktop's protocol: each has its events in order, which can be
// followed as a stream or fetched later.
//
// It owns the goroutines of observations. It must not know how a desktop is read.
package observe

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"goated/servers/desktop/macosusesdk"
)

// Changes are the differences between two looks at the elements of an application.
type Changes struct {
	Added, Removed []*macosusesdk.Element
	Modified       []*macosusesdk.ElementModified
}

// Empty reports whether nothing changed.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Modified) == 0 }

// key returns the identity of an element across two looks: its id, else its place in the tree.
func key(e *macosusesdk.Element) string {
	if e.GetElementId() != "" {
		return e.GetElementId()
	}
	return fmt.Sprintf("%v %s", e.GetPath(), e.GetRole())
}

// Diff compares two looks. attributes are the attributes whose changes count; empty: all
// do. Elements are in the order of their look.
func Diff(before, now []*macosusesdk.Element, attributes []string) (c Changes) {
	old := make(map[string]*macosusesdk.Element, len(before))
	for _, e := range before {
		old[key(e)] = e
	}
	seen := make(map[string]bool, len(now))
	for _, e := range now {
		k := key(e)
		if seen[k] {
			continue
		}
		seen[k] = true
		o, ok := old[k]
		if !ok {
			c.Added = append(c.Added, e)
			continue
		}
		if changes := modified(o, e, attributes); len(changes) > 0 {
			c.Modified = append(c.Modified, &macosusesdk.ElementModified{OldElement: o, NewElement: e, Changes: changes})
		}
	}
	gone := make(map[string]bool)
	for _, e := range before {
		if k := key(e); !seen[k] && !gone[k] {
			gone[k] = true
			c.Removed = append(c.Removed, e)
		}
	}
	return c
}

// modified lists the attributes in which two looks at one element differ, by name.
func modified(o, n *macosusesdk.Element, attributes []string) (changes []*macosusesdk.AttributeChange) {
	before, now := values(o), values(n)
	names := make(map[string]bool, len(before)+len(now))
	for name := range before {
		names[name] = true
	}
	for name := range now {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != now[name] && (len(attributes) == 0 || slices.Contains(attributes, name)) {
			changes = append(changes, &macosusesdk.AttributeChange{Attribute: name, OldValue: before[name], NewValue: now[name]})
		}
	}
	return changes
}

// values returns the parts of an element by name.
func values(e *macosusesdk.Element) map[string]string {
	v := map[string]string{"role": e.GetRole()}
	if e.Text != nil {
		v["text"] = e.GetText()
	}
	for name, f := range map[string]*float64{"x": e.X, "y": e.Y, "width": e.Width, "height": e.Height} {
		if f != nil {
			v[name] = strconv.FormatFloat(*f, 'g', -1, 64)
		}
	}
	for name, b := range map[string]*bool{"enabled": e.Enabled, "focused": e.Focused} {
		if b != nil {
			v[name] = strconv.FormatBool(*b)
		}
	}
	for name, s := range e.GetAttributes() {
		v[name] = s
	}
	return v
}

// Events returns the events of changes that an observation reports: a tree observation
// reports what was added and removed, an attribute observation what was modified, an
// element observation everything.
func (c Changes) Events(kind macosusesdk.ObservationType) (events []*macosusesdk.ObservationEvent) {
	if kind != macosusesdk.ObservationType_OBSERVATION_TYPE_ATTRIBUTE_CHANGES {
		for _, e := range c.Removed {
			events = append(events, &macosusesdk.ObservationEvent{EventType: &macosusesdk.ObservationEvent_ElementRemoved{ElementRemoved: &macosusesdk.ElementEvent{Element: e}}})
		}
		for _, e := range c.Added {
			events = append(events, &macosusesdk.ObservationEvent{EventType: &macosusesdk.ObservationEvent_ElementAdded{ElementAdded: &macosusesdk.ElementEvent{Element: e}}})
		}
	}
	if kind != macosusesdk.ObservationType_OBSERVATION_TYPE_TREE_CHANGES {
		for _, m := range c.Modified {
			events = append(events, &macosusesdk.ObservationEvent{EventType: &macosusesdk.ObservationEvent_ElementModified{ElementModified: m}})
		}
	}
	return events
}
