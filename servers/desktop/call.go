package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/enumeration"
	"goated/internal/truncate"
	"goated/servers/arguments"
	"goated/servers/desktop/convert"
	"goated/servers/desktop/link"
	"goated/servers/serverlog"
)

// maxLogged is the maximum length in bytes of an error in a log line or an answer.
const maxLogged = 300

// A call is one call of a tool.
type call struct {
	*server
	desk
	args
	tool *tool
	req  *mcp.CallToolRequest
	gaps *link.Gaps // what the service's replies lacked so far

	progress *progress
}

// args are the arguments of a call.
type args map[string]any

// handle returns the handler of a tool. The handler reads the arguments, opens the link, and turns
// an answer or an error into a result. A panic fails the call, but not the process.
func (s *server) handle(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (res *mcp.CallToolResult, _ error) {
		began := s.now()
		var err error
		defer func() {
			if p := recover(); p != nil {
				s.log.Printf(serverlog.Error, "tool=%s panic: %v\n%s", t.name, p, debug.Stack())
				err = &failure{code: codeInternal, reason: "internal", text: "internal error, see the server's log"}
			}
			if err != nil {
				f := toFailure(err)
				res = (&answer{text: f.sentence(), data: f.data(), failed: true}).result()
				s.log.Printf(serverlog.Warn, "tool=%s duration=%s reason=%s error=%q", t.name, s.now().Sub(began).Round(time.Millisecond), f.reason, truncate.Bytes(f.text, maxLogged))
				return
			}
			s.log.Printf(serverlog.Info, "tool=%s duration=%s", t.name, s.now().Sub(began).Round(time.Millisecond))
		}()
		var args map[string]any
		if len(req.Params.Arguments) > 0 && string(req.Params.Arguments) != "null" {
			if e := json.Unmarshal(req.Params.Arguments, &args); e != nil {
				err = invalid("the arguments are not a JSON object")
				return nil, nil
			}
		}
		var a *answer
		if a, err = s.perform(ctx, t, args, req); err == nil {
			res = a.result()
		}
		return res, nil
	}
}

// perform runs a tool for a client's request.
func (s *server) perform(ctx context.Context, t *tool, given args, req *mcp.CallToolRequest) (*answer, error) {
	ctx, gaps := link.WithGaps(ctx)
	c := &call{server: s, tool: t, args: given, req: req, gaps: gaps, progress: &progress{req: req}}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.checkPermitted(); err != nil {
		return nil, err
	}
	s.using.RLock()
	defer s.using.RUnlock()
	var err error
	if c.link, err = s.open(ctx); err != nil {
		return nil, err
	}
	defer c.progress.keepAlive(ctx, s.progressInterval)()
	a, err := c.execute(ctx)
	if err != nil {
		return nil, incomplete(err, gaps.String())
	}
	return a.incomplete(gaps.String()), nil
}

// runTool runs another tool as part of the same call.
func (c *call) runTool(ctx context.Context, name string, given args) (*answer, error) {
	t := c.tools[name]
	if c.has("max_bytes") && given["max_bytes"] == nil {
		given["max_bytes"] = c.args["max_bytes"]
	}
	o := &call{server: c.server, desk: c.desk, tool: t, args: given, req: c.req, gaps: c.gaps, progress: c.progress}
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.checkPermitted(); err != nil {
		return nil, err
	}
	return o.execute(ctx)
}

// checkPermitted refuses tools that run scripts unless the user has allowed scripts.
func (c *call) checkPermitted() error {
	if !c.tool.script || c.o.Scripting {
		return nil
	}
	return errScripting()
}

func errScripting() error {
	return &failure{codeServer, "PERMISSION_DENIED", "scripts and shell commands are off",
		"Only the user can allow them: in goated under Settings > Servers > desktop, elsewhere with goated serve desktop --scripting or " + envScripting + "=true. Use the other tools."}
}

func (c *call) execute(ctx context.Context) (*answer, error) {
	if c.tool.run != nil {
		return c.tool.run(ctx, c)
	}
	return c.callMethod(ctx)
}

// argumentAliases lists, for argument names that seed 002 or clients use, the arguments that they may stand
// for.
var argumentAliases = map[string][]string{
	"application": {"parent", "name", "app"}, "window": {"name", "parent"}, "element": {"element_id", "name"}, "title": {"text", "name"},
	"name": {"parent", "window", "application"}, "parent": {"name", "application"}, "app": {"application", "parent", "name"}, "id": {"name"},
}

// check refuses unknown and missing arguments, and renames arguments that have an alternative name.
func (c *call) check() error {
	known := map[string]bool{"max_bytes": true} // of every tool, because the note about a cut advises it
	var names []string
	for _, p := range c.tool.params {
		known[p.name] = true
		names = append(names, p.name)
	}
	for name, value := range c.args {
		if known[name] {
			if value == nil {
				delete(c.args, name)
			}
			continue
		}
		i := slices.IndexFunc(argumentAliases[name], func(other string) bool { return known[other] && c.args[other] == nil })
		if i < 0 {
			return invalid(arguments.Unknown("", []string{name}, names))
		}
		c.args[argumentAliases[name][i]] = value
		delete(c.args, name)
	}
	for _, p := range c.tool.params {
		if p.required && c.args[p.name] == nil {
			if p.schema != nil && len(p.schema.Enum) > 0 {
				return invalid(fmt.Sprintf("%s It is %s", arguments.Missing("", p.name), enumeration.Or(p.schema.Enum)))
			}
			if p.doc == "" {
				return invalid(arguments.Missing("", p.name))
			}
			return invalid(fmt.Sprintf("%s It is: %s", arguments.Missing("", p.name), p.doc))
		}
		if err := p.check(c.args[p.name]); err != nil {
			return err
		}
	}
	return nil
}

// check checks the value of an argument that is not a field of the request.
func (p *param) check(v any) error {
	if p.schema == nil || v == nil {
		return nil
	}
	if len(p.schema.Enum) > 0 {
		for _, e := range p.schema.Enum {
			if e == v {
				return nil
			}
		}
		return invalid(fmt.Sprintf("%s must be %s", p.name, enumeration.Or(p.schema.Enum)))
	}
	ok := true
	switch p.schema.Type {
	case "string":
		_, ok = v.(string)
		if n, number := v.(float64); number {
			ok = !math.IsNaN(n)
		}
	case "number", "integer":
		_, ok = v.(float64)
	case "boolean":
		_, ok = v.(bool)
	case "array":
		_, ok = v.([]any)
	}
	if !ok {
		return invalid(fmt.Sprintf("%s must be of type %s", p.name, p.schema.Type))
	}
	return nil
}

// text returns a text argument, or "" if it is missing.
func (a args) text(name string) string {
	switch v := a[name].(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// number returns a number argument, or otherwise if it is missing. The number may be in a string, as
// package convert accepts it.
func (a args) number(name string, otherwise float64) float64 {
	switch v := a[name].(type) {
	case float64:
		return v
	case string:
		if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return n
		}
	}
	return otherwise
}

func (a args) has(name string) bool { return a[name] != nil }

func (a args) flag(name string) bool { v, _ := a[name].(bool); return v }

// texts returns a list argument.
func (a args) texts(name string) []string {
	items, _ := a[name].([]any)
	var out []string
	for _, v := range items {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// callMethod calls the tool's method with the arguments as the fields of its request.
func (c *call) callMethod(ctx context.Context) (*answer, error) {
	req, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := c.send(ctx, c.tool.method, req.Interface())
	if err != nil {
		return nil, err
	}
	a, err := c.present(ctx, req, reply.ProtoReflect())
	if err == nil && a.data["success"] == false {
		hint := "Look at the desktop, then try another way."
		if c.tool.script {
			hint = "Read what it wrote, and correct it."
		}
		a = a.fail(c.budget(), hint)
	}
	if err == nil && len(a.data) == 0 && c.tool.effect >= arranges {
		a.text = "Done." // after a tool that only looks, no data means an empty list
	}
	return a, err
}

// request makes the request from the arguments.
func (c *call) request(ctx context.Context) (protoreflect.Message, error) {
	req := newMessage(method(c.tool.method).Input())
	if field, value, ok := strings.Cut(c.tool.fixed, "="); ok {
		if err := convert.Set(req, field, value, field); err != nil {
			return nil, err
		}
	}
	if err := c.locate(); err != nil {
		return nil, err
	}
	for _, p := range c.tool.params {
		v := c.args[p.name]
		if p.path == "" || v == nil {
			continue
		}
		if text, ok := v.(string); ok && p.kind != "" {
			full, err := c.resolve(ctx, p.kind, text)
			if err != nil {
				return nil, err
			}
			v = full
		}
		if err := convert.Set(req, p.path, v, p.name); err != nil {
			return nil, err
		}
	}
	return req, c.setSelector(req)
}

// send calls a method. If the method returns an operation, send waits for it.
func (c *call) send(ctx context.Context, name string, req proto.Message) (proto.Message, error) {
	if err := c.checkScripts(ctx, req); err != nil {
		return nil, err
	}
	t, operation := replyType(method(name))
	reply := t.New().Interface()
	if operation {
		return reply, c.link.Run(ctx, name, req, reply, c.limit(name, req), c.progressOf(ctx))
	}
	return reply, c.link.CallFor(ctx, name, req, reply, c.limit(name, req))
}

// isCode reports whether an error has the gRPC code with this name.
func isCode(err error, name string) bool {
	var f *link.Failure
	return errors.As(err, &f) && f.Name() == name
}
