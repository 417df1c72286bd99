package atspi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// An Application is a program that is connected to the accessibility bus.
type Application struct {
	Name    string // such as "mousepad"; the name of the process if the program does not answer
	PID     int
	Root    Ref
	Toolkit string // "gtk", "GTK", "Qt", "Chromium"; "" if unknown
	Version string // of the toolkit
	Hung    bool   // it did not answer
}

// windowRelative reports whether the toolkit reports positions relative to its windows even when asked
// for screen positions, as GTK 4 does.
func (a Application) windowRelative() bool {
	return a.Toolkit == "GTK" && strings.HasPrefix(a.Version, "4")
}

// Applications lists the connected applications, ordered by process id, without goated itself. It takes
// no longer than the budget of a tree. It marks an application that does not answer in time as hung.
func (b *Bus) Applications(ctx context.Context) ([]Application, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, b.opts.Budget)
	defer cancel()
	refs, err := b.children(ctx, Ref{registryName, rootPath})
	if whole.Err() != nil {
		return nil, fmt.Errorf("listing the applications on the accessibility bus: %w", context.Cause(whole))
	}
	if err != nil {
		return nil, unlisted(b, err)
	}
	refs = append(refs, unlistedApplications(ctx, b, refs)...)
	b.updateRecords(ctx, refs)
	answered := b.askNames(ctx, refs)

	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Application
	for _, r := range refs {
		a := b.apps[r.Bus]
		if a == nil || b.opts.Own != nil && b.opts.Own(a.info.PID) {
			continue
		}
		info := a.info
		info.Hung = !answered[r.Bus]
		list = append(list, info)
	}
	slices.SortStableFunc(list, func(x, y Application) int { return x.PID - y.PID })
	return list, nil
}

// ErrRegistry means that the accessibility bus did not list the connected applications.
var ErrRegistry = errors.New("the accessibility bus does not list its applications")

// unlisted explains why the registry listed no applications. If the registry has ended, unlisted closes
// the connection, because the next connection starts the registry again.
func unlisted(b *Bus, err error) error {
	var gone *GoneError
	var hung *HungError
	switch {
	case errors.As(err, &gone) && gone.What == goneApplication:
		_ = b.conn.Close() // the connection ends either way
		return fmt.Errorf("%w: their registry has ended", ErrRegistry)
	case errors.As(err, &hung):
		return fmt.Errorf("%w: their registry does not answer", ErrRegistry)
	}
	return fmt.Errorf("%w: %v", ErrRegistry, err) // %v hides a GoneError, which would mean an ended application
}

// Application returns the application of a process. If the process has no elements, the error explains
// why.
func (b *Bus) Application(ctx context.Context, pid int) (Application, error) {
	if b.opts.Own != nil && b.opts.Own(pid) {
		return Application{}, ErrOwn
	}
	list, err := b.Applications(ctx)
	if err != nil {
		return Application{}, err
	}
	i := slices.IndexFunc(list, func(a Application) bool { return a.PID == pid })
	if i < 0 {
		b.mu.Lock()
		defer b.mu.Unlock()
		if slices.ContainsFunc(lostApplications(b), func(a Application) bool { return a.PID == pid }) {
			return Application{}, &LostError{processName(pid)}
		}
		return Application{}, &NoTreeError{Name: processName(pid), Why: "it is not connected to the accessibility bus", Unplaced: b.opts.Unplaced}
	}
	return list[i], nil
}

// NoTreeError means that an application exposes no elements, although it may have windows.
type NoTreeError struct {
	Name, Why string
	Unplaced  bool // applications do not know their positions, see [Options]
}

func (e *NoTreeError) Error() string {
	what := "take a screenshot of its window and click by coordinates"
	if e.Unplaced {
		what = "a Wayland session lets no program click by coordinates. Ask the user to do it, or to use the hidden desktop (a switch of the desktop server)"
	}
	return fmt.Sprintf("%s shows no elements: %s; %s%s", e.Name, e.Why, what, e.hint())
}

// hint returns advice for kinds of programs that expose their elements only when asked, or "".
func (e *NoTreeError) hint() string {
	switch name := strings.ToLower(e.Name); {
	case strings.Contains(name, "chrom"), strings.Contains(name, "electron"), strings.Contains(name, "code"), strings.Contains(name, "slack"):
		return "; a Chromium or Electron program shows them when it is started with --force-renderer-accessibility"
	}
	return ""
}

// updateRecords adds a record, with its process, for each application that has none. It removes the records of
// applications that are gone.
func (b *Bus) updateRecords(ctx context.Context, refs []Ref) {
	var ask []request
	b.mu.Lock()
	present := make(map[string]bool, len(refs))
	for _, r := range refs {
		present[r.Bus] = true
		if b.apps[r.Bus] != nil {
			continue
		}
		ask = append(ask, request{
			ref: Ref{"org.freedesktop.DBus", "/org/freedesktop/DBus"}, method: "org.freedesktop.DBus.GetConnectionUnixProcessID", args: []any{r.Bus},
			done: func(body []any) {
				if pid, ok := first[uint32](body); ok {
					b.mu.Lock()
					defer b.mu.Unlock()
					a := Application{Name: processName(int(pid)), PID: int(pid), Root: r}
					b.apps[r.Bus], b.met[a.PID] = &app{info: a}, process{a.Name, startTime(a.PID)}
				}
			},
		})
	}
	for bus := range b.apps {
		if !present[bus] {
			b.apps[bus].direct.close()
			delete(b.apps, bus)
		}
	}
	b.mu.Unlock()
	b.batch(ctx, queue(&ask))
}

// askNames asks every application for its name, and a new application also for its toolkit. It returns the
// applications that answered, by bus name.
func (b *Bus) askNames(ctx context.Context, refs []Ref) map[string]bool {
	ctx, cancel := context.WithTimeout(ctx, b.opts.Budget*2/3)
	defer cancel()
	var ask []request
	answered := make(map[string]bool)
	get := func(r Ref, iface, name string, use func(a *app, v string)) {
		ask = append(ask, request{ref: r, method: propertiesIface + ".Get", args: []any{iface, name}, done: func(body []any) {
			v, _ := first[dbus.Variant](body)
			s, _ := v.Value().(string)
			b.mu.Lock()
			defer b.mu.Unlock()
			if a := b.apps[r.Bus]; a != nil {
				answered[r.Bus], a.hung = true, time.Time{}
				use(a, s)
			}
		}})
	}
	b.mu.Lock()
	for _, r := range refs {
		a := b.apps[r.Bus]
		if a == nil || b.opts.Own != nil && b.opts.Own(a.info.PID) {
			continue
		}
		get(r, accessibleIface, "Name", func(a *app, v string) {
			if v != "" {
				a.info.Name = v
			}
		})
		if !a.asked {
			get(r, applicationIface, "ToolkitName", func(a *app, v string) {
				if a.info.Toolkit = v; v == chromium {
					connectDirect(b, a)
				}
			})
			get(r, applicationIface, "Version", func(a *app, v string) { a.info.Version, a.asked = v, true })
		}
	}
	b.mu.Unlock()
	b.batch(ctx, queue(&ask))
	return answered
}

// children returns the children of an object.
func (b *Bus) children(ctx context.Context, r Ref) ([]Ref, error) {
	var body [][]any
	if err := b.call(ctx, r, accessibleIface+".GetChildren", nil, &body); err != nil {
		return nil, err
	}
	return refsOf(body), nil
}

func refsOf(body [][]any) (refs []Ref) {
	for _, pair := range body {
		if r := refOf(pair); !r.none() {
			refs = append(refs, r)
		}
	}
	return refs
}

// refOf decodes a D-Bus object reference.
func refOf(v any) (r Ref) {
	if pair, ok := v.([]any); ok && len(pair) == 2 {
		r.Bus, _ = pair[0].(string)
		r.Path, _ = pair[1].(dbus.ObjectPath)
	}
	return r
}

// first returns the first value of a reply, if it has type T.
func first[T any](body []any) (v T, ok bool) {
	if len(body) > 0 {
		v, ok = body[0].(T)
	}
	return v, ok
}

// processName returns the name of the program that a process runs.
func processName(pid int) string {
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		return strings.TrimSuffix(filepath.Base(exe), " (deleted)")
	}
	if comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil {
		return strings.TrimSpace(string(comm))
	}
	return fmt.Sprintf("process %d", pid)
}
