package desktop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/convert"
	"goated/servers/desktop/macosusesdk"
)

// An effect describes what a tool does to the desktop. The tool's annotations depend on it.
type effect int

const (
	knows    effect = iota // reads only what goated or this server wrote
	looks                  // reads what applications show, which anyone may have written
	arranges               // makes changes that are easy to undo
	acts                   // may do what the user can do
)

// A tool is one tool of the server. It calls a method of the service or runs a function.
type tool struct {
	name, title, doc string
	effect           effect
	method           string   // of the service; empty if run decides
	fixed            string   // "field=text", which is always set in the request
	params           []param  // in the order of the schema's documentation
	script           bool     // runs scripts or commands
	run              handler  // nil: call method with the arguments
	answer           []string // fields of run's answer, as "name:type description"
}

// A handler runs a tool.
type handler func(ctx context.Context, c *call) (*answer, error)

// A param is a tool's argument.
type param struct {
	name, doc, path string
	required        bool
	kind            string             // app, window, place or element, for a name that may be abbreviated; otherwise empty
	schema          *jsonschema.Schema // set if the param is not a field of the request
}

// paramForm matches "name[!][@kind][=path] description". "!" marks a required argument.
var paramForm = lazyregexp.New(`^(\w+)(!?)(?:@(\w+))?(?:=([\w.]+))?(?: (.*))?$`)

// params parses the arguments of a method. A line that begins with @ stands for several arguments.
func params(lines ...string) []param {
	var all []param
	for _, line := range lines {
		switch {
		case line == "@page":
			all = append(all, params("page_size Maximum number of results (default 100)", "page_token next_page_token of the answer before")...)
		case line == "@selector":
			all = append(all, selectorParams()...)
		case line == "@expect":
			all = append(all, extraParam("expect_role", "string", "Refuse if the element has another role"), extraParam("expect_name", "string", "Refuse if the element has another text"))
		case line == "@bytes":
			all = append(all, extraParam("max_bytes", "integer", "Longest answer (default 8000)"))
		case strings.HasPrefix(line, "@xy"):
			prefix, path, _ := strings.Cut(strings.TrimPrefix(line, "@xy"), "=")
			all = append(all, params(prefix+"x!="+path+".x", prefix+"y!="+path+".y")...)
			if prefix != "end_" {
				all = append(all, extraParam("screenshot", "string", "Id of a screenshot: the position is in its picture"))
			}
		default:
			m := paramForm.FindStringSubmatch(line)
			if m == nil {
				panic("a parameter has no form: " + line) // the line is a constant in the program
			}
			p := param{name: m[1], required: m[2] != "", kind: m[3], path: m[4], doc: m[5]}
			if p.path == "" {
				p.path = p.name
			}
			all = append(all, p)
		}
	}
	return all
}

// extraParam returns an argument that is not a field of the request.
func extraParam(name, kind, doc string) param {
	return param{name: name, doc: doc, schema: &jsonschema.Schema{Type: kind}}
}

// choice returns an argument that accepts only the given values.
func choice(name, doc string, values ...string) param {
	p := extraParam(name, "string", doc)
	for _, v := range values {
		p.schema.Enum = append(p.schema.Enum, v)
	}
	return p
}

// list returns an argument that is a list of strings.
func list(name, doc string) param {
	return param{name: name, doc: doc, schema: &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}}
}

// required marks an argument as required.
func required(p param) param {
	p.required = true
	return p
}

// method returns the descriptor of one of the service's methods.
func method(name string) protoreflect.MethodDescriptor {
	m := macosusesdk.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods().ByName(protoreflect.Name(name))
	if m == nil {
		panic("the service has no method " + name) // the name is a constant in the program
	}
	return m
}

// replyType returns the type of a method's reply. If the method returns an operation, it is the
// type of the operation's response.
func replyType(m protoreflect.MethodDescriptor) (t protoreflect.MessageType, operation bool) {
	name := m.Output().FullName()
	if info, ok := proto.GetExtension(m.Options(), longrunningpb.E_OperationInfo).(*longrunningpb.OperationInfo); ok && info.GetResponseType() != "" {
		name, operation = m.ParentFile().Package().Append(protoreflect.Name(info.GetResponseType())), true
	}
	t, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		panic(err) // the types are linked into the program
	}
	return t, operation
}

// newMessage returns an empty message for a descriptor.
func newMessage(md protoreflect.MessageDescriptor) protoreflect.Message {
	t, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
	if err != nil {
		panic(err) // the types are linked into the program
	}
	return t.New()
}

// definition returns the tool's definition for clients.
func (t *tool) definition() *mcp.Tool {
	in := &jsonschema.Schema{Type: "object", Properties: make(map[string]*jsonschema.Schema)}
	for _, p := range t.params {
		s := p.schema
		if s == nil {
			fd := convert.Field(method(t.method).Input(), p.path)
			if fd == nil {
				panic(fmt.Sprintf("%s has no field %s", t.method, p.path)) // the path is a constant in the program
			}
			s = convert.FieldSchema(fd, 3)
		}
		s.Description = p.doc
		in.Properties[p.name] = s
		if p.required {
			in.Required = append(in.Required, p.name)
		}
	}
	return &mcp.Tool{Name: t.name, Title: t.title, Description: t.doc, InputSchema: in, OutputSchema: t.output(), Annotations: t.annotations(), Meta: t.approval()}
}

// approval marks tools that run commands or read the clipboard. goated asks the user about each
// call of such a tool, and offers no "always".
func (t *tool) approval() mcp.Meta {
	if t.script || slices.Contains([]string{"run", "clipboard", "get_clipboard", "get_clipboard_history", "execute_macro"}, t.name) {
		return mcp.Meta{"goated/approval": "each"} // registry.ApprovalKey
	}
	return nil
}

func (t *tool) annotations() *mcp.ToolAnnotations {
	open, destroys := t.effect == looks || t.effect == acts, t.effect == acts
	a := &mcp.ToolAnnotations{Title: t.title, OpenWorldHint: &open}
	if t.effect <= looks {
		a.ReadOnlyHint, a.IdempotentHint = true, true
	} else {
		a.DestructiveHint = &destroys
		a.IdempotentHint = t.effect == arranges
	}
	return a
}

// output returns the schema of the structured content. No field is required, because an answer
// contains either an error or the fields of success.
func (t *tool) output() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: make(map[string]*jsonschema.Schema)}
	if t.method != "" {
		reply, _ := replyType(method(t.method))
		s = convert.AnswerSchema(reply.Descriptor(), 3)
	}
	for _, line := range t.answer {
		name, kind, _ := strings.Cut(line, ":")
		kind, doc, _ := strings.Cut(kind, " ")
		f := &jsonschema.Schema{Type: kind, Description: doc}
		if kind == "objects" {
			f.Type, f.Items = "array", &jsonschema.Schema{Type: "object"}
		}
		if kind == "texts" {
			f.Type, f.Items = "array", &jsonschema.Schema{Type: "string"}
		}
		s.Properties[name] = f
	}
	s.Properties["error"] = &jsonschema.Schema{Description: "Why it failed: code, reason, message and hint"}
	s.Properties["note"] = &jsonschema.Schema{Type: "string", Description: "What is left out"}
	return s
}
