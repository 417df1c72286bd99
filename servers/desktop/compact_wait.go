package desktop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

// How long wait waits, in seconds.
const (
	defaultWait = 30.0
	maxWait     = 300.0
)

// wait waits for the condition that the arguments describe.
func wait(ctx context.Context, c *call) (*answer, error) {
	seconds := min(max(c.number("seconds", defaultWait), 0), maxWait)
	s, err := c.selector()
	if err != nil {
		return nil, err
	}
	switch {
	case c.has("state") && c.flag("gone"):
		return nil, invalid("pass either state or gone")
	case c.has("value") && !c.has("state"):
		return nil, invalid("value needs state")
	case c.has("state") && !c.has("element") && s == nil:
		return nil, invalid("state needs element, or in with a condition such as role or text")
	case c.has("element") && c.flag("gone"):
		return c.until(ctx, seconds, "element", lookForRef(ctx, c))
	case c.has("element") && !c.has("state"):
		return nil, invalid("element needs gone or state: enabled, disabled, focused, text_equals or text_contains")
	case c.has("element"):
		return waitForState(ctx, c, seconds)
	case c.text("window") != "":
		return c.until(ctx, seconds, "window "+quote(c.text("window")), lookForWindow(ctx, c))
	case s != nil && !c.has("in"):
		return nil, invalid("in is missing: the application or window to look in")
	case s != nil && c.flag("gone"):
		return c.until(ctx, seconds, "element", c.lookForElement(ctx, s))
	case s != nil && c.has("state"):
		return waitForState(ctx, c, seconds)
	case s != nil:
		parent, err := c.resolve(ctx, "place", c.text("in"))
		if err != nil {
			return nil, err
		}
		args := c.criteria()
		args["parent"], args["timeout"] = parent, seconds
		return c.withRef(ctx, parent, "wait_element", args)
	case c.flag("gone"):
		return nil, invalid("gone needs element, window, or in with a condition such as role or text")
	case !c.has("seconds"):
		return nil, invalid("pass what to wait for: a condition, a window, an element with state, or seconds")
	}
	pause := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer pause.Stop()
	select {
	case <-pause.C:
		return &answer{text: "Waited " + withUnit(seconds, "second") + ".", data: map[string]any{}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// criteria returns those of the arguments that describe an element.
func (a args) criteria() map[string]any {
	return a.pick("role", "text", "text_contains", "text_regex")
}

// waitForState waits until an element has a state. The arguments name the element, or describe it.
func waitForState(ctx context.Context, c *call, seconds float64) (*answer, error) {
	args := c.pick("state=condition", "value")
	args["timeout"] = seconds
	var parent string
	var err error
	if c.has("element") {
		parent, args["element_id"], err = c.target(ctx)
	} else {
		parent, err = c.resolve(ctx, "place", c.text("in"))
		maps.Copy(args, c.criteria())
	}
	if err != nil {
		return nil, err
	}
	args["parent"] = parent
	return c.withRef(ctx, parent, "wait_element_state", args)
}

// A noResponseError is the error of an application that does not respond. It may respond to a later look.
type noResponseError struct{ error }

func (e noResponseError) Unwrap() error { return e.error }

// until calls look repeatedly until look reports that the wait is over. It continues after a
// noResponseError.
func (c *call) until(ctx context.Context, seconds float64, what string, look func() (*answer, bool, error)) (*answer, error) {
	late := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer late.Stop()
	for n := 1; ; n++ {
		a, over, err := look()
		var silent noResponseError
		if err == nil && over || err != nil && !errors.As(err, &silent) {
			return a, err
		}
		c.notify(ctx, float64(n), 0, fmt.Sprintf("Looked %d times", n))
		pause := time.NewTimer(300 * time.Millisecond)
		select {
		case <-pause.C:
		case <-late.C:
			pause.Stop()
			word := "appear"
			if c.flag("gone") {
				word = "go away"
			}
			text := fmt.Sprintf("the %s did not %s within %s", what, word, withUnit(seconds, "second"))
			if err != nil {
				text += ", and the last look failed: " + toFailure(err).text
			}
			return nil, &failure{codeServer, "DEADLINE_EXCEEDED", text, "Look at the desktop."}
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
	}
}

// lookForWindow returns a function that looks for a window by its name or title. The argument in limits
// the search to one application. The function fails if an application does not answer, because the
// window may belong to it. Once the window was seen, only its own application matters.
func lookForWindow(ctx context.Context, c *call) func() (*answer, bool, error) {
	owner, only, want := "", "", strings.ToLower(c.text("window"))
	return func() (*answer, bool, error) {
		if c.has("in") && only == "" {
			place, err := c.resolve(ctx, "place", c.text("in"))
			if isUnknown(err) && !c.flag("gone") {
				return nil, false, nil // the application may still start
			}
			if err != nil {
				return nil, false, err
			}
			only = appOf(place)
		}
		apps, err := c.apps(ctx)
		if err != nil {
			return nil, false, err
		}
		if only != "" {
			apps = slices.DeleteFunc(apps, func(a *pb.Application) bool { return a.GetName() != only })
		}
		lists, silent := c.windowsOf(ctx, apps)
		for i, windows := range lists {
			for _, w := range windows {
				if w.GetName() == c.text("window") || strings.Contains(strings.ToLower(w.GetTitle()), want) {
					owner = apps[i].GetName()
					data := convert.Object(w.ProtoReflect())
					return &answer{text: "The window is there: " + line(data), data: map[string]any{"window": data}}, !c.flag("gone"), nil
				}
			}
		}
		for i, err := range silent {
			if err != nil && (owner == "" || owner == apps[i].GetName()) {
				return nil, false, noResponseError{err}
			}
		}
		return &answer{text: "The window is gone.", data: map[string]any{}}, c.flag("gone"), nil
	}
}

// lookForRef returns a function that looks for the element that the arguments name.
func lookForRef(ctx context.Context, c *call) func() (*answer, bool, error) {
	seen := false
	return func() (*answer, bool, error) {
		name, err := c.resolve(ctx, "element", c.text("element"))
		if err != nil {
			return nil, false, err
		}
		err = c.link.Call(ctx, "GetElement", &pb.GetElementRequest{Name: name}, new(pb.Element))
		switch {
		case isCode(err, "NOT_FOUND") && !seen: // the ref may be wrong, too
			return &answer{text: "There is no such element any more.", data: map[string]any{}}, true, nil
		case isCode(err, "NOT_FOUND"):
			return &answer{text: "The element is gone.", data: map[string]any{}}, true, nil
		case isCode(err, "DEADLINE_EXCEEDED"):
			err = noResponseError{err}
		case err == nil:
			seen = true
		}
		return nil, false, err
	}
}

// lookForElement returns a function that looks for an element. It resolves the place in the
// arguments only once, so that the element is still found after the window's title changes.
func (c *call) lookForElement(ctx context.Context, s *pb.ElementSelector) func() (*answer, bool, error) {
	parent := ""
	return func() (*answer, bool, error) {
		if parent == "" {
			place, err := c.resolve(ctx, "place", c.text("in"))
			if err != nil {
				return nil, false, err
			}
			parent = place
		}
		found, _, err := c.elementPage(ctx, parent, s, 1, "")
		switch {
		case isCode(err, "NOT_FOUND"):
			return &answer{text: "The window is gone, and the element with it.", data: map[string]any{}}, true, nil
		case isCode(err, "DEADLINE_EXCEEDED"):
			err = noResponseError{err}
		}
		return &answer{text: "The element is gone.", data: map[string]any{}}, len(found) == 0, err
	}
}
