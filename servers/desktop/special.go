package desktop

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

func replaceOnce(form, with string) string { return strings.Replace(form, "%s", with, 1) }

// listWindows lists the windows of one application, or of all applications.
func listWindows(ctx context.Context, c *call) (*answer, error) {
	if c.has("parent") && c.text("parent") != "applications/-" {
		return c.callMethod(ctx)
	}
	for _, name := range []string{"page_token", "page_size", "filter", "order_by"} {
		if c.has(name) {
			return nil, invalid(name + " needs parent: an application")
		}
	}
	apps, err := c.apps(ctx)
	if err != nil {
		return nil, err
	}
	windows := []any{}
	lists, silent := c.windowsOf(ctx, apps)
	for _, w := range slices.Concat(lists...) {
		windows = append(windows, convert.Object(w.ProtoReflect()))
	}
	data := map[string]any{"windows": windows}
	noteMissing(data, silent)
	a, _ := fit(data, c.budget())
	return a, nil
}

// windowState accepts the name of a window instead of the name of its state.
func windowState(ctx context.Context, c *call) (*answer, error) {
	name, err := c.resolve(ctx, "window", c.text("name"))
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(name, "/state") {
		name += "/state"
	}
	c.args["name"] = name
	return c.callMethod(ctx)
}

// waitElement runs wait_element. It requires a condition, because every element matches an empty
// one.
func waitElement(ctx context.Context, c *call) (*answer, error) {
	s, err := c.selector()
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, invalid("the condition is missing. Pass role, text, text_contains or selector")
	}
	return c.callMethod(ctx)
}

// waitState runs wait_element_state.
func waitState(ctx context.Context, c *call) (*answer, error) {
	condition, value := c.text("condition"), c.text("value")
	state := new(pb.StateCondition)
	switch condition {
	case "enabled", "disabled":
		state.Condition = &pb.StateCondition_Enabled{Enabled: condition == "enabled"}
	case "focused":
		state.Condition = &pb.StateCondition_Focused{Focused: true}
	case "text_equals":
		if !c.has("value") {
			return nil, invalid("text_equals needs value")
		}
		state.Condition = &pb.StateCondition_TextEquals{TextEquals: value}
	default:
		if value == "" {
			return nil, invalid("text_contains needs value")
		}
		state.Condition = &pb.StateCondition_TextContains{TextContains: value}
	}
	delete(c.args, "condition")
	req, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	r := req.Interface().(*pb.WaitElementStateRequest)
	if r.GetTarget() == nil {
		return nil, invalid("the element is missing. Pass element_id, or a selector: role, text, text_contains")
	}
	r.Condition = state
	reply, err := c.send(ctx, c.tool.method, r)
	if err != nil {
		return nil, err
	}
	return c.present(ctx, req, reply.ProtoReflect())
}

// getClipboard runs get_clipboard. It returns a picture on the clipboard as an image.
func getClipboard(ctx context.Context, c *call) (*answer, error) {
	req, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := c.send(ctx, c.tool.method, req.Interface())
	if err != nil {
		return nil, err
	}
	a, _ := fitAs(clipboardText, convert.Object(reply.ProtoReflect()), c.budget())
	content := reply.(*pb.Clipboard).GetContent()
	switch {
	case content.GetContent() == nil:
		a.text = "The clipboard is empty."
	case len(content.GetImage()) > 0:
		data, w, h, mime, err := shrink(content.GetImage(), defaultSide)
		if err != nil {
			return nil, &failure{codeInternal, "internal", "the picture on the clipboard is damaged: " + err.Error(), ""}
		}
		a.text, a.images = fmt.Sprintf("The clipboard holds a picture of %d×%d pixels.", w, h), []mcp.Content{&mcp.ImageContent{MIMEType: mime, Data: data}}
	}
	return a, nil
}

// clipboardText formats the content of the clipboard as text.
func clipboardText(data map[string]any) string {
	inner, _ := data["content"].(map[string]any)
	for _, k := range []string{"text", "html", "url"} {
		if s, ok := inner[k].(string); ok {
			return "The clipboard holds " + map[string]string{"text": "text", "html": "HTML", "url": "a link"}[k] + ":\n" + s
		}
	}
	return render(data)
}

// writeClipboard writes to the clipboard. The arguments must contain exactly one content.
func writeClipboard(ctx context.Context, c *call) (*answer, error) {
	content := new(pb.ClipboardContent)
	given := 0
	for _, k := range []string{"text", "html", "url", "files", "image"} {
		if c.has(k) {
			given++
		}
	}
	if given != 1 {
		return nil, invalid("pass exactly one of text, html, url, files and image")
	}
	switch {
	case c.has("html"):
		content.Type, content.Content = pb.ContentType_CONTENT_TYPE_HTML, &pb.ClipboardContent_Html{Html: c.text("html")}
	case c.has("url"):
		content.Type, content.Content = pb.ContentType_CONTENT_TYPE_URL, &pb.ClipboardContent_Url{Url: c.text("url")}
	case c.has("files"):
		content.Type, content.Content = pb.ContentType_CONTENT_TYPE_FILES, &pb.ClipboardContent_Files{Files: &pb.FilePaths{Paths: c.texts("files")}}
	case c.has("image"):
		data, err := base64.StdEncoding.DecodeString(c.text("image"))
		if err != nil {
			return nil, invalid("image must be a picture in base64")
		}
		content.Type, content.Content = pb.ContentType_CONTENT_TYPE_IMAGE, &pb.ClipboardContent_Image{Image: data}
	default:
		content.Type, content.Content = pb.ContentType_CONTENT_TYPE_TEXT, &pb.ClipboardContent_Text{Text: c.text("text")}
	}
	req := &pb.WriteClipboardRequest{Content: content, ClearExisting: c.flag("clear_existing")}
	reply, err := c.send(ctx, "WriteClipboard", req)
	if err != nil {
		return nil, err
	}
	data := convert.Object(reply.ProtoReflect())
	if data["success"] == false {
		return nil, refused("the clipboard was not written", "Another application may own it. Try again.")
	}
	return &answer{text: "The clipboard now holds " + convert.EnumName(content.GetType().Descriptor(), content.GetType().Number()) + ".", data: data}, nil
}

// hover runs hover, for one second unless the call sets a duration.
func hover(ctx context.Context, c *call) (*answer, error) {
	if !c.has("duration") {
		c.args["duration"] = 1.0
	}
	return c.callMethod(ctx)
}

func cancelObservation(ctx context.Context, c *call) (*answer, error) {
	a, err := c.callMethod(ctx)
	if err == nil {
		c.watchers.forget(c.text("name"))
	}
	return a, err
}

// rollback runs rollback, to the start of the transaction unless the call names another state.
func rollback(ctx context.Context, c *call) (*answer, error) {
	if !c.has("revision_id") {
		c.args["revision_id"] = c.args["transaction_id"]
	}
	return c.callMethod(ctx)
}

// saveMacro creates or changes a macro. It translates actions that are written as steps.
func saveMacro(ctx context.Context, c *call) (*answer, error) {
	if items, ok := c.args["actions"].([]any); ok && isSteps(items) {
		actions, err := readSteps(items)
		if err != nil {
			return nil, err
		}
		c.args["actions"] = actions
	}
	if n, _ := c.args["actions"].([]any); c.tool.method == "CreateMacro" && len(n) == 0 {
		return nil, invalid("actions are missing: a macro has at least one")
	}
	req, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	if r, ok := req.Interface().(*pb.UpdateMacroRequest); ok {
		r.UpdateMask = new(fieldmaskpb.FieldMask)
		for _, p := range c.tool.params {
			if field, ok := strings.CutPrefix(p.path, "macro."); ok && field != "name" && c.has(p.name) {
				r.UpdateMask.Paths = append(r.UpdateMask.Paths, field)
			}
		}
		if len(r.UpdateMask.Paths) == 0 {
			return nil, invalid("nothing to change is given")
		}
	}
	reply, err := c.send(ctx, c.tool.method, req.Interface())
	if err != nil {
		return nil, err
	}
	return c.present(ctx, req, reply.ProtoReflect())
}

// executeMacro runs a macro to its end.
func executeMacro(ctx context.Context, c *call) (*answer, error) {
	if !c.has("timeout") {
		c.args["timeout"] = 300.0
	}
	a, err := c.callMethod(ctx)
	if err != nil || a.failed {
		return a, err
	}
	ran, _ := strconv.Atoi(scalarText(a.data["actions_executed"]))
	a.text = "The macro ran " + withUnit(ran, "action") + "."
	if log, _ := a.data["log"].([]any); len(log) > 0 {
		a.text += "\n" + render(map[string]any{"log": log})
	}
	return a, nil
}
