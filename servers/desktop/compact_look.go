package desktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

// see shows the desktop, the elements of a window, or one element.
func see(ctx context.Context, c *call) (*answer, error) {
	switch {
	case c.has("element"):
		return seeElement(ctx, c)
	case c.has("in"):
		return c.elements(ctx, nil, !c.flag("all"))
	}
	apps, err := c.apps(ctx)
	if err != nil {
		return nil, err
	}
	displays := new(pb.ListDisplaysResponse)
	if err := c.link.Call(ctx, "ListDisplays", new(pb.ListDisplaysRequest), displays); err != nil && !isCode(err, "UNIMPLEMENTED") {
		return nil, err
	}
	data := map[string]any{"applications": []any{}}
	if len(displays.GetDisplays()) > 0 {
		data["displays"] = convert.Object(displays.ProtoReflect())["displays"]
	}
	var listed []any
	lists, silent := c.windowsOf(ctx, apps)
	for i, windows := range lists {
		if len(windows) == 0 && !c.flag("all") {
			continue
		}
		one := convert.Object(apps[i].ProtoReflect())
		var all []any
		for _, w := range windows {
			all = append(all, convert.Object(w.ProtoReflect()))
		}
		if all != nil {
			one["windows"] = all
		}
		listed = append(listed, one)
	}
	if listed != nil {
		data["applications"] = listed
	}
	if hidden := len(apps) - len(listed); hidden > 0 {
		data["note"] = fmt.Sprintf("%d more applications have no windows. Pass all=true for them.", hidden)
	}
	noteMissing(data, silent)
	a, _ := fit(data, c.budget())
	return a, nil
}

// seeElement shows an element and its actions.
func seeElement(ctx context.Context, c *call) (*answer, error) {
	name, err := c.resolve(ctx, "element", c.text("element"))
	if err != nil {
		return nil, err
	}
	e := new(pb.Element)
	if err := c.link.Call(ctx, "GetElement", &pb.GetElementRequest{Name: name}, e); err != nil {
		return nil, err
	}
	data := map[string]any{"element": referred(appOf(name), e)}
	actions := new(pb.ElementActions)
	if c.link.Call(ctx, "GetElementActions", &pb.GetElementActionsRequest{Name: name}, actions) == nil && len(actions.GetActions()) > 0 {
		data["actions"] = convert.Object(actions.ProtoReflect())["actions"]
	}
	a, _ := fit(data, c.budget())
	return a, nil
}

// referred returns an element with its ref instead of its id, and without its path.
func referred(parent string, e *pb.Element) map[string]any {
	m := convert.Object(e.ProtoReflect())
	delete(m, "path")
	if id, ok := m["element_id"]; ok {
		m["ref"] = strings.TrimPrefix(appOf(parent), "applications/") + ":" + fmt.Sprint(id)
		delete(m, "element_id")
	}
	return m
}

// brief returns an element for a list, like referred, but without the attributes and actions that
// do not help with the next step. see shows all of them if it gets an element.
func brief(parent string, e *pb.Element) map[string]any {
	m := referred(parent, e)
	if attributes, ok := m["attributes"].(map[string]any); ok {
		for k := range attributes {
			switch strings.ToLower(k) {
			case "checked", "pressed", "selected", "expanded", "value", "description", "placeholder", "placeholder-text", "placeholder_text", "readonly", "read-only", "invalid", "required", "url", "href":
			default:
				delete(attributes, k)
			}
		}
		if len(attributes) == 0 {
			delete(m, "attributes")
		}
	}
	if a := e.GetActions(); len(a) == 1 && (strings.EqualFold(a[0], "click") || strings.EqualFold(a[0], "press") || strings.EqualFold(a[0], "AXPress")) {
		delete(m, "actions") // press performs this action
	}
	return m
}

// fewElements is less than the number of elements in any window with a form. Electron and some Qt
// applications describe only their frame.
const fewElements = 5

// find finds elements that match conditions or lie in an area.
func find(ctx context.Context, c *call) (*answer, error) {
	s, err := c.selector()
	if err != nil {
		return nil, err
	}
	if s == nil && !c.has("width") {
		return nil, invalid("the condition is missing. Pass role, text, text_contains or text_regex, or an area; or use see")
	}
	return c.elements(ctx, s, false)
}

// elements lists the elements in a window or application. useful leaves out elements that have
// neither text nor a function.
func (c *call) elements(ctx context.Context, s *pb.ElementSelector, useful bool) (*answer, error) {
	parent, err := c.resolve(ctx, "place", c.text("in"))
	if err != nil {
		return nil, err
	}
	size, token := int32(100), c.text("page_token")
	if c.budget() > 4*defaultBytes {
		size = 1000
	}
	for range 4 {
		found, next, err := c.elementPage(ctx, parent, s, size, token)
		if err != nil {
			return nil, err
		}
		list, skipped := []any{}, 0
		for _, e := range found {
			if useful && e.GetText() == "" && len(e.GetActions()) == 0 && !e.GetFocused() {
				skipped++
				continue
			}
			list = append(list, brief(parent, e))
		}
		data := map[string]any{"elements": list}
		if next != "" {
			data["next_page_token"] = next
		}
		if s == nil && token == "" && next == "" && len(found) < fewElements {
			data["note"] = "The application describes few of its elements. To reach the rest, " + c.beyondElements(ctx)
		}
		if skipped > 0 {
			data["note"] = fmt.Sprintf("%d elements without text and function are left out. Pass all=true for them.", skipped)
		}
		if len(found) == 0 {
			text := "No element fits. Use see with in to list the elements that are there. Some applications describe only a few. To reach the rest, "
			if s == nil {
				text = "It describes no elements, as some applications do. To use it, "
			}
			return &answer{data: data, text: text + c.beyondElements(ctx)}, nil
		}
		a, kept := fit(data, c.budget())
		if kept < 0 || size == 1 {
			return a, nil
		}
		// Request only as many elements as fit, so that the token continues after the last element
		// shown.
		size = max(1, int32(kept+skipped*kept/max(1, len(list))))
	}
	return &answer{text: "The elements are too long. Pass max_bytes for more.", data: map[string]any{"note": "too long"}}, nil
}

func (c *call) elementPage(ctx context.Context, parent string, s *pb.ElementSelector, size int32, token string) ([]*pb.Element, string, error) {
	if c.has("width") {
		r := &pb.Region{X: c.number("x", 0), Y: c.number("y", 0), Width: c.number("width", 0), Height: c.number("height", 0)}
		reply := new(pb.FindRegionElementsResponse)
		err := c.link.Call(ctx, "FindRegionElements", &pb.FindRegionElementsRequest{Parent: parent, Region: r, Selector: s, PageSize: size, PageToken: token}, reply)
		return reply.GetElements(), reply.GetNextPageToken(), err
	}
	if s == nil {
		s = new(pb.ElementSelector)
	}
	reply := new(pb.FindElementsResponse)
	err := c.link.Call(ctx, "FindElements", &pb.FindElementsRequest{Parent: parent, Selector: s, PageSize: size, PageToken: token, VisibleOnly: !c.flag("all")}, reply)
	return reply.GetElements(), reply.GetNextPageToken(), err
}

// screenshot takes the picture that the arguments describe.
func screenshot(ctx context.Context, c *call) (*answer, error) {
	args := map[string]any{}
	for from, to := range map[string]string{"format": "format", "max_side": "max_side", "ocr": "include_ocr", "display": "display", "x": "x", "y": "y", "width": "width", "height": "height"} {
		if c.has(from) {
			args[to] = c.args[from]
		}
	}
	switch {
	case c.has("element"):
		parent, id, err := c.target(ctx)
		if err != nil {
			return nil, err
		}
		args["parent"], args["element_id"] = parent, id
		for _, k := range []string{"x", "y", "width", "height", "display"} {
			delete(args, k)
		}
		return c.runTool(ctx, "capture_element_screenshot", args)
	case c.has("window"):
		args["window"] = c.args["window"]
		for _, k := range []string{"x", "y", "width", "height", "display"} {
			delete(args, k)
		}
		return c.runTool(ctx, "capture_window_screenshot", args)
	case c.has("width") || c.has("height"):
		return c.runTool(ctx, "capture_region_screenshot", args)
	}
	delete(args, "x")
	delete(args, "y")
	return c.runTool(ctx, "capture_screenshot", args)
}

// target splits an element's ref into its parent and its id.
func (c *call) target(ctx context.Context) (parent, id string, err error) {
	name, err := c.resolve(ctx, "element", c.text("element"))
	if err != nil {
		return "", "", err
	}
	parent, id, ok := strings.Cut(name, "/elements/")
	if !ok {
		return "", "", invalid(fmt.Sprintf("%s is not an element. Use a ref from see or find", quote(c.text("element"))))
	}
	return parent, id, nil
}

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
	case c.has("element"):
		return waitForState(ctx, c, seconds)
	case c.has("window"):
		return c.until(ctx, seconds, "window "+quote(c.text("window")), lookForWindow(ctx, c))
	case s != nil && !c.has("in"):
		return nil, invalid("in is missing: the application or window to look in")
	case s != nil && c.flag("gone"):
		return c.until(ctx, seconds, "element", c.lookForElement(ctx, s))
	case s != nil:
		parent, err := c.resolve(ctx, "place", c.text("in"))
		if err != nil {
			return nil, err
		}
		args := map[string]any{"parent": parent, "timeout": seconds}
		for _, k := range []string{"role", "text", "text_contains", "text_regex"} {
			if c.has(k) {
				args[k] = c.args[k]
			}
		}
		return c.withRef(ctx, parent, "wait_element", args)
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

func waitForState(ctx context.Context, c *call, seconds float64) (*answer, error) {
	if !c.has("state") {
		return nil, invalid("state is missing: enabled, disabled, focused, text_equals or text_contains")
	}
	parent, id, err := c.target(ctx)
	if err != nil {
		return nil, err
	}
	args := map[string]any{"parent": parent, "element_id": id, "condition": c.args["state"], "timeout": seconds}
	if c.has("value") {
		args["value"] = c.args["value"]
	}
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

// lookForWindow returns a function that looks for the window in the arguments. After the window was
// seen once, only a silence of its own application leaves open whether the window still exists.
func lookForWindow(ctx context.Context, c *call) func() (*answer, bool, error) {
	owner := ""
	return func() (*answer, bool, error) {
		apps, err := c.apps(ctx)
		if err != nil {
			return nil, false, err
		}
		lists, silent := c.windowsOf(ctx, apps)
		for i, windows := range lists {
			for _, w := range windows {
				if strings.Contains(strings.ToLower(w.GetTitle()), strings.ToLower(c.text("window"))) {
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
