// Package atspitest serves fake user interfaces over AT-SPI for tests that real programs cannot serve:
// ten thousand rows, an endless tree, or elements that change, hide or hang. The applications connect
// to a real bus.
package atspitest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// An Item is an element of an [App].
type Item struct {
	Role       uint32
	Name       string
	States     uint64
	Interfaces []string // the last parts of their names, such as "Action" or "Text"
	Text       string
	Value      float64
	Children   []int
	Parent     int // ignored for the root
	Index      int
	Bounds     [4]int32
	Toolkit    string   // of the root element
	Gone       bool     // the application no longer has it
	Actions    []string // the names of its actions, of which only click does anything; nil: only click

	Attributes map[string]string // in addition to the toolkit
}

// Shown are the states of an element that a user can see and use.
const Shown = 1<<8 | 1<<24 | 1<<25 | 1<<30

// An App is an application on the accessibility bus. It calls its functions one at a time, apart from
// Wait. Set them before Serve.
type App struct {
	// Item returns an element. The root is 0.
	Item func(id int) Item
	// Cache lists the elements in the cache. If nil, the application has no cache.
	Cache func() []int
	// Do performs the main action of an element, and Write changes its text. Either may be nil.
	Do    func(id int)
	Write func(id int, text string) bool
	// Set changes the value of an element. It may be nil.
	Set func(id int, value float64)
	// Wait, if not nil, is called before each answer about an element, from several goroutines at once.
	Wait func(id int)
	// Socket is the address of the application's own socket, or "" if it has none.
	Socket string

	mu   sync.Mutex
	conn *dbus.Conn
	name string
}

const prefix = "/org/a11y/atspi/accessible/"

// Serve connects the application to the accessibility bus until ctx ends.
func (a *App) Serve(ctx context.Context, address string) error {
	conn, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	a.conn, a.name = conn, conn.Names()[0]
	for face, methods := range map[string]map[string]any{
		"org.a11y.atspi.Accessible": {
			"GetRole":          a.role,
			"GetState":         func(m dbus.Message) ([]uint32, *dbus.Error) { i, _ := a.of(m); return words(i.States), nil },
			"GetInterfaces":    func(m dbus.Message) ([]string, *dbus.Error) { i, _ := a.of(m); return interfaces(i), nil },
			"GetChildren":      a.children,
			"GetChildAtIndex":  a.child,
			"GetIndexInParent": func(m dbus.Message) (int32, *dbus.Error) { i, _ := a.of(m); return int32(i.Index), nil },
			"GetAttributes":    a.attributes,
		},
		"org.freedesktop.DBus.Properties": {"Get": a.property, "Set": a.setValue},
		"org.a11y.atspi.Component": {
			"GetExtents": func(_ uint32, m dbus.Message) (bounds, *dbus.Error) {
				i, _ := a.of(m)
				return bounds{i.Bounds[0], i.Bounds[1], i.Bounds[2], i.Bounds[3]}, nil
			},
			"GrabFocus": func() (bool, *dbus.Error) { return true, nil },
		},
		"org.a11y.atspi.Action": {
			"GetActions": a.actions,
			"DoAction":   a.act,
		},
		"org.a11y.atspi.Application":  {"GetApplicationBusAddress": a.socket},
		"org.a11y.atspi.Text":         {"GetText": a.text},
		"org.a11y.atspi.EditableText": {"SetTextContents": a.write},
	} {
		if err := conn.ExportSubtreeMethodTable(methods, dbus.ObjectPath(strings.TrimSuffix(prefix, "/")), face); err != nil {
			return err
		}
	}
	if a.Cache != nil {
		if err := conn.ExportMethodTable(map[string]any{"GetItems": a.items}, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache"); err != nil {
			return err
		}
	}
	var parent ref
	return conn.Object("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root").
		CallWithContext(ctx, "org.a11y.atspi.Socket.Embed", 0, a.ref(0)).Store(&parent)
}

type (
	ref struct {
		Bus  string
		Path dbus.ObjectPath
	}
	action struct{ Name, Description, Key string }
	bounds struct{ X, Y, Width, Height int32 }
	row    struct {
		Ref, App, Parent ref
		Index, Count     int32
		Interfaces       []string
		Name             string
		Role             uint32
		Description      string
		States           []uint32
	}
)

func (a *App) ref(id int) ref {
	if id == 0 {
		return ref{a.name, prefix + "root"}
	}
	return ref{a.name, dbus.ObjectPath(prefix + strconv.Itoa(id))}
}

// of returns the element that a message is addressed to.
func (a *App) of(m dbus.Message) (Item, int) {
	path, _ := m.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	id, _ := strconv.Atoi(strings.TrimPrefix(string(path), prefix)) // the root is 0
	if a.Wait != nil {
		a.Wait(id)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Item(id), id
}

func (a *App) role(m dbus.Message) (uint32, *dbus.Error) {
	i, id := a.of(m)
	if i.Gone {
		return 0, gone(id)
	}
	return i.Role, nil
}

func gone(id int) *dbus.Error {
	return dbus.NewError("org.freedesktop.DBus.Error.UnknownObject", []any{fmt.Sprint(id)})
}

func (a *App) socket() (string, *dbus.Error) {
	if a.Socket == "" {
		return "", dbus.MakeFailedError(errors.New("no socket"))
	}
	return a.Socket, nil
}

func words(states uint64) []uint32 { return []uint32{uint32(states), uint32(states >> 32)} }

func interfaces(i Item) []string {
	names := []string{"org.a11y.atspi.Accessible"}
	for _, f := range i.Interfaces {
		names = append(names, "org.a11y.atspi."+f)
	}
	return names
}

func (a *App) attributes(m dbus.Message) (map[string]string, *dbus.Error) {
	i, _ := a.of(m)
	all := map[string]string{"toolkit": "test"}
	maps.Copy(all, i.Attributes)
	return all, nil
}

func (a *App) children(m dbus.Message) ([]ref, *dbus.Error) {
	i, _ := a.of(m)
	refs := []ref{}
	for _, c := range i.Children {
		refs = append(refs, a.ref(c))
	}
	return refs, nil
}

// child returns one child, as libatspi asks for children one by one.
func (a *App) child(index int32, m dbus.Message) (ref, *dbus.Error) {
	i, _ := a.of(m)
	if index < 0 || int(index) >= len(i.Children) {
		return ref{a.name, "/org/a11y/atspi/null"}, nil
	}
	return a.ref(i.Children[index]), nil
}

func (a *App) property(face, name string, m dbus.Message) (dbus.Variant, *dbus.Error) {
	i, id := a.of(m)
	if i.Gone {
		return dbus.Variant{}, gone(id)
	}
	switch name {
	case "Name":
		return dbus.MakeVariant(i.Name), nil
	case "Parent":
		if id == 0 {
			return dbus.MakeVariant(ref{"org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"}), nil
		}
		return dbus.MakeVariant(a.ref(i.Parent)), nil
	case "ChildCount":
		return dbus.MakeVariant(int32(len(i.Children))), nil
	case "ToolkitName":
		return dbus.MakeVariant(i.Toolkit), nil
	case "Version":
		return dbus.MakeVariant("1"), nil
	case "CharacterCount":
		return dbus.MakeVariant(int32(len([]rune(i.Text)))), nil
	case "CurrentValue":
		return dbus.MakeVariant(i.Value), nil
	case "MinimumValue", "MaximumValue": // the same: no limits
		return dbus.MakeVariant(0.0), nil
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{fmt.Sprintf("%s.%s", face, name)})
}

func (a *App) actions(m dbus.Message) (list []action, _ *dbus.Error) {
	i, _ := a.of(m)
	for _, name := range i.actionNames() {
		list = append(list, action{Name: name})
	}
	return list, nil
}

func (i Item) actionNames() []string {
	if i.Actions == nil {
		return []string{"click"}
	}
	return i.Actions
}

func (a *App) setValue(_, name string, value dbus.Variant, m dbus.Message) *dbus.Error {
	_, id := a.of(m)
	a.mu.Lock()
	defer a.mu.Unlock()
	if v, ok := value.Value().(float64); ok && name == "CurrentValue" && a.Set != nil {
		a.Set(id, v)
	}
	return nil
}

func (a *App) act(index int32, m dbus.Message) (bool, *dbus.Error) {
	i, id := a.of(m)
	a.mu.Lock()
	defer a.mu.Unlock()
	if names := i.actionNames(); a.Do == nil || int(index) >= len(names) || names[index] != "click" {
		return false, nil
	}
	a.Do(id)
	return true, nil
}

func (a *App) text(from, to int32, m dbus.Message) (string, *dbus.Error) {
	i, id := a.of(m)
	if i.Gone {
		return "", gone(id)
	}
	runes := []rune(i.Text)
	if to < 0 || int(to) > len(runes) {
		to = int32(len(runes))
	}
	return string(runes[min(from, to):to]), nil
}

func (a *App) write(text string, m dbus.Message) (bool, *dbus.Error) {
	_, id := a.of(m)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Write != nil && a.Write(id, text), nil
}

func (a *App) items() ([]row, *dbus.Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	rows := []row{}
	for _, id := range a.Cache() {
		i := a.Item(id)
		rows = append(rows, row{
			Ref: a.ref(id), App: a.ref(0), Parent: a.ref(i.Parent), Index: int32(i.Index), Count: int32(len(i.Children)),
			Interfaces: interfaces(i), Name: i.Name, Role: i.Role, States: words(i.States),
		})
	}
	return rows, nil
}

// Lock runs f while no answer is given. Tests change the user interface inside f.
func (a *App) Lock(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}
