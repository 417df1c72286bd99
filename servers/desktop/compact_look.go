package desktop

import (
	"context"
	"fmt"
	"maps"
	"strings"

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
	without := 0
	lists, silent := c.windowsOf(ctx, apps)
	for i, windows := range lists {
		if len(windows) == 0 && !c.flag("all") {
			if silent[i] == nil { // noteMissing names the others
				without++
			}
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
	if without > 0 {
		data["note"] = fmt.Sprintf("%s without windows left out. Pass all=true for them.", withUnit(without, "application"))
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
	switch area := c.pick("x", "y", "width", "height"); {
	case s == nil && len(area) == 0:
		return nil, invalid("the condition is missing. Pass role, text, text_contains or text_regex, or an area; or use see")
	case len(area) > 0 && (len(area) < 4 || c.number("width", 0) <= 0 || c.number("height", 0) <= 0):
		return nil, invalid("an area needs x, y, width and height, and width and height must be more than 0")
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
		if s == nil && !c.has("width") && token == "" && next == "" && len(found) < fewElements {
			addNote(data, "The application describes few of its elements. To reach the rest, "+c.beyondElements(ctx))
		}
		if skipped > 0 {
			addNote(data, withUnit(skipped, "element")+" without text and function left out. Pass all=true for them.")
		}
		if len(found) == 0 {
			text := "No element fits. Use see with in to list the elements that are there. Some applications describe only a few. To reach the rest, "
			if s == nil && !c.has("width") {
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
	area, named := c.pick("x", "y", "width", "height"), c.pick("window", "element")
	switch {
	case len(area) > 0 && len(area) < 4:
		return nil, invalid("an area needs x, y, width and height")
	case len(named) > 1, len(named) == 1 && len(area) > 0:
		return nil, invalid("pass only one of window, element and an area")
	}
	args := c.pick("format", "max_side", "ocr=include_ocr")
	switch {
	case c.has("element"):
		parent, id, err := c.target(ctx)
		if err != nil {
			return nil, err
		}
		args["parent"], args["element_id"] = parent, id
		return c.runTool(ctx, "capture_element_screenshot", args)
	case c.has("window"):
		args["window"] = c.args["window"]
		return c.runTool(ctx, "capture_window_screenshot", args)
	}
	if c.has("display") {
		args["display"] = c.args["display"]
	}
	if len(area) > 0 {
		maps.Copy(args, area)
		return c.runTool(ctx, "capture_region_screenshot", args)
	}
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
