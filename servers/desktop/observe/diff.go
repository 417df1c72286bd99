// Package observe finds out what changed on a desktop between two looks, and runs the observations
// of the desktop protocol. An observation has its events in order. A caller can follow them as a
// stream or fetch them later.
//
// The package owns the goroutines of observations. It must not know how a desktop is read.
package observe

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"goated/servers/desktop/macosusesdk"
)

// Changes contains the differences between two looks at an application's elements.
type Changes struct {
	Added, Removed []*macosusesdk.Element
	Modified       []*macosusesdk.ElementModified
}

// Empty reports whether nothing changed.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Modified) == 0 }

// key identifies an element across two looks, by its id, or otherwise by its position in the tree.
func key(e *macosusesdk.Element) string {
	if e.GetElementId() != "" {
		return e.GetElementId()
	}
	return fmt.Sprintf("%v %s", e.GetPath(), e.GetRole())
}

// Diff compares two looks. attributes are the attributes whose changes count; if empty, all do.
// Added and Removed keep the order of their looks.
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

// modified returns the attributes that differ between two looks at an element, sorted by name.
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

// values returns the attributes of an element by name.
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

// Events returns the events that an observation of a kind reports for the changes. A tree
// observation reports added and removed elements, an attribute observation modified ones, and an
// element observation all of them.
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
