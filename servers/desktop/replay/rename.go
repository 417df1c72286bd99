package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/journal"
	pb "goated/servers/desktop/macosusesdk"
)

var (
	application = lazyregexp.New(`applications/\d+`)
	place       = lazyregexp.New(`^(applications/\d+)(/windows/\d+)?$`)
	described   = lazyregexp.New(`^the (.+?) ("(?:[^"\\]|\\.)*")$`)
)

// toRecorded replaces the current application names in a text with those of the record.
func (r *run) toRecorded(text string) string {
	return application.ReplaceAllStringFunc(text, func(name string) string {
		for then, now := range r.pids {
			if now == name {
				return then
			}
		}
		return name
	})
}

// recordApplication remembers which current application corresponds to the one that a recorded action opened.
func (r *run) recordApplication(e journal.Entry) {
	then, now := application.FindString(e.After), application.FindString(r.last.After)
	if e.Method == "OpenApplication" && then != "" && now != "" {
		r.pids[then] = now
	}
}

// rename replaces the recorded names in a request with the current ones.
func (r *run) rename(ctx context.Context, req protoreflect.Message) error {
	in := ""
	for _, field := range []protoreflect.Name{"parent", "name", "application"} {
		f := req.Descriptor().Fields().ByName(field)
		if f == nil || f.Kind() != protoreflect.StringKind {
			continue
		}
		m := place.FindStringSubmatch(req.Get(f).String())
		if m == nil {
			continue
		}
		app, err := r.app(ctx, m[1])
		if err != nil {
			return err
		}
		in = app
		if m[2] != "" {
			if in, err = r.window(ctx, app, app+m[2]); err != nil {
				return err
			}
		}
		req.Set(f, protoreflect.ValueOfString(in))
	}
	for _, field := range []protoreflect.Name{"element_id", "target_element_id"} {
		f := req.Descriptor().Fields().ByName(field)
		if f == nil || !req.Has(f) || in == "" {
			continue
		}
		id, err := r.element(ctx, in, req.Get(f).String())
		if err != nil {
			return err
		}
		req.Set(f, protoreflect.ValueOfString(id))
	}
	return nil
}

// wait calls find until it succeeds or the timeout passes. It returns the last error of find, which
// explains what is missing.
func (r *run) wait(ctx context.Context, find func() (string, error)) (string, error) {
	end := time.Now().Add(cmp.Or(r.o.Wait, appears))
	for {
		name, err := find()
		if err == nil || time.Now().After(end) {
			return name, err
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// app returns the current application for a recorded one. It is the application that the replay
// opened for it, otherwise the same process, or otherwise the only application with the same
// program.
func (r *run) app(ctx context.Context, then string) (string, error) {
	if now := r.pids[then]; now != "" {
		return now, nil
	}
	want := r.now.App
	if want == "" {
		return "", fmt.Errorf("the record does not say which program %s was", then)
	}
	now, err := r.wait(ctx, func() (string, error) {
		var list pb.ListApplicationsResponse
		if err := r.link.Call(ctx, "ListApplications", &pb.ListApplicationsRequest{PageSize: 1000}, &list); err != nil {
			return "", err
		}
		var fit []string
		for _, a := range list.GetApplications() {
			if r.o.Program(int(a.GetPid())) == want {
				fit = append(fit, a.GetName())
			}
		}
		if slices.Contains(fit, then) {
			return then, nil
		}
		return onlyOne(fit, fmt.Sprintf("application %q", want), "Open it first, or record how it is opened")
	})
	if err == nil {
		r.pids[then] = now
	}
	return now, err
}

// window returns the current window for a recorded one, which is the same window or the only one
// with its title.
func (r *run) window(ctx context.Context, app, same string) (string, error) {
	return r.wait(ctx, func() (string, error) {
		var list pb.ListWindowsResponse
		if err := r.link.Call(ctx, "ListWindows", &pb.ListWindowsRequest{Parent: app, PageSize: 1000}, &list); err != nil {
			return "", err
		}
		var fit []string
		for _, w := range list.GetWindows() {
			if w.GetTitle() == r.now.Window {
				fit = append(fit, w.GetName())
			}
		}
		if slices.Contains(fit, same) {
			return same, nil
		}
		return onlyOne(fit, fmt.Sprintf("window %q", r.now.Window), "")
	})
}

// element returns the current element for a recorded one, which is the same element or the only
// visible one with its role and name.
func (r *run) element(ctx context.Context, in, same string) (string, error) {
	m := described.FindStringSubmatch(r.now.Target)
	if m == nil {
		return same, nil
	}
	name, err := strconv.Unquote(m[2])
	if err != nil {
		return "", err
	}
	return r.wait(ctx, func() (string, error) {
		var list pb.FindElementsResponse
		s := &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: m[1]}}
		if err := r.link.Call(ctx, "FindElements", &pb.FindElementsRequest{Parent: in, Selector: s, VisibleOnly: true, PageSize: 1000}, &list); err != nil {
			return "", err
		}
		var fit []string
		for _, e := range list.GetElements() {
			called := e.GetAttributes()["name"]
			if called == "" {
				called = e.GetText()
			}
			if e.GetRole() == m[1] && called == name {
				fit = append(fit, e.GetElementId())
			}
		}
		if slices.Contains(fit, same) && application.FindString(in) == application.FindString(string(r.now.Request)) {
			return same, nil // the process has been running since the record
		}
		return onlyOne(fit, r.now.Target, "")
	})
}

// onlyOne returns the only name in fit, or an error if there are none or several.
func onlyOne(fit []string, what, advice string) (string, error) {
	switch len(fit) {
	case 1:
		return fit[0], nil
	case 0:
		text := "there is no " + strings.TrimPrefix(what, "the ")
		if advice != "" {
			text += ". " + advice
		}
		return "", errors.New(text)
	}
	return "", fmt.Errorf("%d fit %s, and only one may", len(fit), what)
}
