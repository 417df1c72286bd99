package desktop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"goated/servers/desktop/link"
	"goated/servers/desktop/macosusesdk"
)

// A desk looks up applications, windows and elements on the desktop.
type desk struct{ link *link.Link }

// resolve expands an abbreviated name. It finds an application by its display name or PID, a window
// by part of its title, and an element by "PID:id". kind is a param's kind.
func (d desk) resolve(ctx context.Context, kind, name string) (string, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "", strings.HasPrefix(name, "applications/"):
		return name, nil
	case kind == "element":
		if pid, id, ok := strings.Cut(bare(name), ":"); ok && digits(pid) {
			return "applications/" + pid + "/elements/" + id, nil
		}
		return "", invalid(fmt.Sprintf("%s is not an element. Use applications/PID/elements/ID, or PID:ID from an answer", quote(name)))
	case digits(name) && kind != "window":
		return d.byNumber(ctx, kind, name)
	case kind == "window":
		w, err := d.windowByTitle(ctx, name)
		return w.GetName(), err
	case kind == "place":
		app, err := d.appByName(ctx, name)
		if err == nil {
			return app.GetName(), nil
		}
		w, failed := d.windowByTitle(ctx, name)
		if failed != nil && !isUnknown(err) {
			return "", err // for example, several applications have the name
		}
		return w.GetName(), failed
	}
	app, err := d.appByName(ctx, name)
	return app.GetName(), err
}

// byNumber finds the application or window that a number means. It may be the name of an
// application, such as 2048, or its PID, or otherwise the title of a window. If both a name and a
// PID match, the caller must choose. A part of a title does not count, because the PID of an
// application that ended must not select a window "Invoice 1234".
func (d desk) byNumber(ctx context.Context, kind, name string) (string, error) {
	process := "applications/" + name
	apps, err := d.apps(ctx)
	if err != nil {
		return process, nil // the call that needs the list reports why
	}
	fits := slices.DeleteFunc(slices.Clone(apps), func(a *macosusesdk.Application) bool {
		return a.GetDisplayName() != name && a.GetName() != process
	})
	switch {
	case len(fits) == 1:
		return fits[0].GetName(), nil
	case len(fits) > 1:
		return "", ambiguous("application", name, fits, (*macosusesdk.Application).GetDisplayName, (*macosusesdk.Application).GetName)
	case kind != "place":
		return process, nil
	}
	lists, _ := d.windowsOf(ctx, apps)
	titled := slices.DeleteFunc(slices.Concat(lists...), func(w *macosusesdk.Window) bool { return w.GetTitle() != name })
	if len(titled) == 0 {
		return process, nil
	}
	w, err := pick("window", name, titled, (*macosusesdk.Window).GetTitle, (*macosusesdk.Window).GetName)
	return w.GetName(), err
}

// bare returns a ref without the brackets in which an answer shows it.
func bare(ref string) string {
	if inner, ok := strings.CutPrefix(ref, "["); ok && strings.HasSuffix(inner, "]") {
		return strings.TrimSuffix(inner, "]")
	}
	return ref
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// apps lists up to a thousand applications.
func (d desk) apps(ctx context.Context) ([]*macosusesdk.Application, error) {
	var all []*macosusesdk.Application
	req := &macosusesdk.ListApplicationsRequest{PageSize: 200}
	for range 5 {
		reply := new(macosusesdk.ListApplicationsResponse)
		if err := d.link.Call(ctx, "ListApplications", req, reply); err != nil {
			return nil, err
		}
		all = append(all, reply.GetApplications()...)
		if req.PageToken = reply.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return all, nil
}

// appByName finds the application with a display name. name is the whole display name, or a part
// that only one application has.
func (d desk) appByName(ctx context.Context, name string) (*macosusesdk.Application, error) {
	all, err := d.apps(ctx)
	if err != nil {
		return nil, err
	}
	return pick("application", name, all, (*macosusesdk.Application).GetDisplayName, (*macosusesdk.Application).GetName)
}

// windowByTitle finds the window with a title. title is the whole title, or a part that only one
// window has.
func (d desk) windowByTitle(ctx context.Context, title string) (*macosusesdk.Window, error) {
	apps, err := d.apps(ctx)
	if err != nil {
		return nil, err
	}
	lists, silent := d.windowsOf(ctx, apps)
	found, err := pick("window", title, slices.Concat(lists...), (*macosusesdk.Window).GetTitle, (*macosusesdk.Window).GetName)
	if missing := cmp.Or(silent...); missing != nil && isUnknown(err) {
		return nil, noResponseError{missing}
	}
	return found, err
}

// isUnknown reports whether err means that nothing has the name.
func isUnknown(err error) bool {
	var unknown *failure
	return errors.As(err, &unknown) && unknown.reason == "NOT_FOUND"
}

// windowsOf lists the windows of applications, in the order of apps. If an application fails, for
// example because it hangs, windowsOf returns its error instead, because its windows may still
// exist. An application that ended in the meantime is no failure.
func (d desk) windowsOf(ctx context.Context, apps []*macosusesdk.Application) ([][]*macosusesdk.Window, []error) {
	all, errs := make([][]*macosusesdk.Window, len(apps)), make([]error, len(apps))
	slots := make(chan struct{}, 8)
	var wait sync.WaitGroup
	for i, app := range apps {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			reply := new(macosusesdk.ListWindowsResponse)
			err := d.link.Call(ctx, "ListWindows", &macosusesdk.ListWindowsRequest{Parent: app.GetName(), PageSize: 100}, reply)
			all[i] = reply.GetWindows()
			if !isCode(err, "NOT_FOUND") {
				errs[i] = err
			}
		})
	}
	wait.Wait()
	return all, errs
}

// noteMissing adds a note to the data of an answer about why windows may be missing.
func noteMissing(data map[string]any, silent []error) {
	var why []string
	for _, err := range silent {
		if err != nil {
			why = append(why, toFailure(err).sentence())
		}
	}
	if why != nil {
		addNote(data, "Windows may be missing: "+strings.Join(why, " "))
	}
}

// pick returns the only item whose title is name, or otherwise the only item whose title contains
// name.
func pick[T any](what, name string, all []T, title, id func(T) string) (none T, _ error) {
	var whole, part []T
	for _, one := range all {
		switch have := title(one); {
		case strings.EqualFold(have, name):
			whole = append(whole, one)
		case strings.Contains(strings.ToLower(have), strings.ToLower(name)):
			part = append(part, one)
		}
	}
	found := whole
	if len(found) == 0 {
		found = part
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return none, ambiguous(what, name, found, title, id)
	}
	var names []string
	for _, one := range all {
		if title(one) != "" {
			names = append(names, quote(title(one)))
		}
	}
	there := "There are none."
	if len(names) > 0 {
		there = "There are: " + strings.Join(names[:min(len(names), 12)], ", ") + "."
	}
	return none, &failure{codeServer, "NOT_FOUND", fmt.Sprintf("no %s is named %s", what, quote(name)), there}
}

// ambiguous returns the error for a name that fits several things.
func ambiguous[T any](what, name string, found []T, title, id func(T) string) error {
	var names []string
	for _, one := range found {
		names = append(names, fmt.Sprintf("%s (%s)", quote(title(one)), id(one)))
	}
	return invalid(fmt.Sprintf("%s fits several %ss: %s. Use the name in parentheses", quote(name), what, strings.Join(names[:min(len(names), 8)], ", ")))
}
