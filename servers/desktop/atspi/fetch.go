package atspi

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/element"
)

// maxText is how many characters of an element's text a tree holds. A mark follows a text that is cut.
const maxText = 4096

// Whole returns an element with all of its text, if a tree has cut it and the text can be read.
func Whole(ctx context.Context, b *Bus, t Target, e element.Element) element.Element {
	if utf8.RuneCountInString(e.Text) > maxText {
		if text, ok, err := b.Content(ctx, t); ok && err == nil {
			e.Text = text
		}
	}
	return e
}

// Fetch asks for the given fields of some nodes until ctx or the budget ends. It returns how many
// answers are missing.
func (t *Tree) Fetch(ctx context.Context, nodes []int, want element.Fields) (missing int) {
	ctx, cancel := context.WithTimeout(ctx, t.bus.opts.Budget)
	defer cancel()
	unplaced := 0
	if want&element.FieldBounds != 0 {
		unplaced = t.locate(ctx)
	}
	var q []request
	for _, i := range nodes {
		if n := &t.Nodes[i]; n.Interfaces&interfaceUnknown != 0 && want&^n.fetched&^element.FieldBounds != 0 {
			q = append(q, interfaces(n.Ref, &n.Interfaces))
		}
	}
	unknown, wrong := ask(ctx, t.bus, t.App.Root.Bus, queue(&q))
	q = nil
	for _, i := range nodes {
		n := &t.Nodes[i]
		lacks := want &^ n.fetched
		n.fetched |= lacks
		if lacks&element.FieldBounds != 0 && n.Interfaces&InterfaceComponent != 0 {
			q = append(q, t.extents(i))
		}
		if lacks&element.FieldText != 0 && t.content(n) {
			q = append(q, request{n.Ref, propertiesIface + ".Get", []any{textIface, "CharacterCount"}, func(body []any) {
				v, _ := first[dbus.Variant](body)
				if count, _ := v.Value().(int32); count > 0 {
					q = append(q, request{n.Ref, textIface + ".GetText", []any{int32(0), min(count, maxText)}, func(body []any) {
						if n.text, _ = first[string](body); count > maxText {
							n.text += fmt.Sprintf("… [%d of %d characters]", maxText, count)
						}
					}})
				}
			}})
		}
		if lacks&element.FieldAttributes != 0 {
			q = append(q, request{n.Ref, accessibleIface + ".GetAttributes", nil, func(body []any) { n.attribute(body) }})
			if n.Interfaces&InterfaceValue != 0 && !n.Secure {
				q = append(q, request{n.Ref, propertiesIface + ".Get", []any{valueIface, "CurrentValue"}, func(body []any) {
					v, _ := first[dbus.Variant](body)
					if f, ok := v.Value().(float64); ok {
						n.set("value", strconv.FormatFloat(f, 'g', -1, 64))
					}
				}})
			}
		}
		if lacks&element.FieldActions != 0 && n.Interfaces&InterfaceAction != 0 {
			q = append(q, request{n.Ref, actionIface + ".GetActions", nil, func(body []any) {
				rows, _ := first[[][]any](body)
				n.actions = actionsOf(rows)
			}})
		}
	}
	late, failed := ask(ctx, t.bus, t.App.Root.Bus, queue(&q))
	late += unplaced + unknown
	t.slow = t.slow || late > 0
	return late + wrong + failed
}

// Complete reports whether the application answered everything in time that the tree and [Tree.Fetch]
// asked for. Otherwise elements or fields that exist may be missing. Fields that an application refuses
// to report, and elements beyond a limit, do not count: they are missing each time.
func (t *Tree) Complete() bool { return !t.late && !t.slow }

// content reports whether a node has text beyond its name.
func (t *Tree) content(n *Node) bool {
	if n.Secure || n.Interfaces&InterfaceText == 0 {
		return false
	}
	switch n.Role {
	case RoleText, RoleEntry, RoleTerminal, RoleSpinButton:
		return true
	}
	return n.States.Has(StateEditable) || n.Name == "" && len(n.Children) == 0
}

func (n *Node) attribute(body []any) {
	attributes, _ := first[map[string]string](body)
	for k, v := range attributes {
		if !n.Secure || k != "value" {
			n.set(k, v)
		}
	}
}

func (n *Node) set(key, value string) {
	if n.attributes == nil {
		n.attributes = make(map[string]string)
	}
	n.attributes[key] = value
}

// actionsOf decodes the names of actions. Chromium's actions have no names, so they get numbers.
func actionsOf(rows [][]any) (names []string) {
	for i, row := range rows {
		name := ""
		if len(row) > 0 {
			name, _ = row[0].(string)
		}
		if name == "" {
			name = "action " + strconv.Itoa(i+1)
		}
		names = append(names, name)
	}
	return names
}

// Element converts a node to an element.Element, with an id that stays valid while the application
// shows the element.
func (t *Tree) Element(i int) element.Element {
	n := &t.Nodes[i]
	e := t.elementWithoutID(i)
	e.ID = t.bus.known.id(Target{Ref: n.Ref, PID: t.App.PID, Role: n.Role.String(), Name: n.Name, Secure: n.Secure, named: n.Name != "" && !n.derived, page: t.inPage(i)})
	return e
}

// elementWithoutID is Element without an id.
func (t *Tree) elementWithoutID(i int) element.Element {
	n := &t.Nodes[i]
	e := element.Element{
		Role: n.Role.String(), Name: n.Name, Text: n.Name, Secure: n.Secure,
		Bounds: n.bounds, Placed: !n.bounds.Empty(),
		Enabled: n.States.Has(StateEnabled) || n.States.Has(StateSensitive), Focused: n.States.Has(StateFocused), Visible: t.visible(i),
		Path: t.Path(i), Actions: n.actions, Attributes: make(map[string]string, len(n.attributes)+2),
	}
	if n.text != "" {
		e.Text = n.text
	}
	for k, v := range n.attributes {
		e.Attributes[k] = v
	}
	for _, s := range shownStates {
		if n.States.Has(s.state) {
			e.Attributes[s.name] = "true"
		}
	}
	if n.Secure {
		e.Text, e.Attributes["secure"] = n.Name, "true"
	}
	if e.Name != "" && e.Name != e.Text {
		e.Attributes["name"] = e.Name
	}
	return e
}

// visible reports whether a node is on the screen according to its application. GTK 4.8 does not set
// SHOWING for visible widgets.
func (t *Tree) visible(i int) bool {
	s := t.Nodes[i].States
	return s.Has(StateShowing) || t.App.windowRelative() && s.Has(StateVisible)
}

// Visible lists the nodes that are on the screen, without the application node.
func (t *Tree) Visible() (nodes []int) {
	for i := 1; i < len(t.Nodes); i++ {
		if t.visible(i) {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// String draws the tree for people, without the fields that only Fetch reads.
func (t *Tree) String() string {
	var b strings.Builder
	var draw func(i, level int)
	draw = func(i, level int) {
		n := &t.Nodes[i]
		b.WriteString(strings.Repeat("  ", level) + n.Role.String() + " " + strconv.Quote(n.Name) + "\n")
		for _, c := range n.Children {
			draw(c, level+1)
		}
	}
	draw(0, 0)
	return b.String()
}
