// Package offline is the model provider that needs no key and no service. It finds the tool that a
// request asks for by comparing the request with the texts of the tools, and answers with the tool's
// result.
//
// It owns the choice of the tool, the questions for missing arguments, small talk and the sentences of
// its answers. agent/intent interprets the request. The package must not depend on sessions, settings
// or servers.
package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/contents"
	"goated/agent/intent"
	"goated/internal/enumeration"
	"goated/internal/exact"
	"goated/registry"
)

// Model is an [agent.Model] that needs no key. It finds the tool that a request asks for, asks the
// user for missing arguments, and answers with the result. Its answers begin with the label "No
// model". It calls a tool that changes something only if the request asks for that. If several
// tools match, the user chooses. The request "/tool {json}" calls a tool directly.
type Model struct {
	// Ask asks the user for missing arguments, or to choose between tools. If it is nil, the answer
	// lists the missing arguments or the tools instead.
	Ask agent.Ask
	// Lookup returns the title and the annotations of a tool. It may be nil.
	Lookup func(name string) (registry.Entry, error)
	// Server returns the display name of the server with an ID. If it is nil, questions show the ID.
	Server func(id string) string
}

// NeedsAllTools makes a session declare every tool, because the model searches for the tool itself.
func (*Model) NeedsAllTools() bool { return true }

// Generate implements [agent.Model].
func (o *Model) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if len(history) == 0 {
			yield(nil, agent.ErrNothing)
			return
		}
		last := history[len(history)-1]
		var parts []*genai.Part
		var err error
		if contents.IsResponse(last) {
			parts, err = o.answer(ctx, history, o.declaredTools(config))
		} else {
			parts, err = o.plan(ctx, last, contents.Results(history), o.declaredTools(config))
		}
		if err != nil {
			yield(nil, err)
			return
		}
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
			Content:      &genai.Content{Role: genai.RoleModel, Parts: parts},
			FinishReason: genai.FinishReasonStop,
		}}}, nil)
	}
}

// userErrorText rewrites an error message for the user.
func userErrorText(said string) string {
	switch said {
	case agent.CallDenied.Error():
		return "I did not run it."
	case agent.NoApprover.Error():
		return "I did not run it: it needs your approval, and I can't ask you here."
	}
	return strings.TrimPrefix(strings.TrimPrefix(said, "Tool execution failed: "), "Error: ")
}

// A declaredTool is a tool that the request declares.
type declaredTool struct {
	intent.Tool
	properties map[string]map[string]any
	required   []string
}

// server returns the display name of a server.
func (o *Model) server(id string) string {
	if o.Server == nil {
		return id
	}
	return o.Server(id)
}

// label returns the display name of the tool.
func (f *declaredTool) label() string { return cmp.Or(f.Title, f.Own) }

// declaredTools returns the tools that a request declares.
func (o *Model) declaredTools(config *genai.GenerateContentConfig) []*declaredTool {
	if config == nil {
		return nil
	}
	var all []*declaredTool
	for _, t := range config.Tools {
		for _, d := range t.FunctionDeclarations {
			server, tool, _ := strings.Cut(d.Name, "__")
			f := &declaredTool{Tool: intent.Tool{Name: d.Name, Server: server, Own: tool, Description: d.Description}}
			f.Schema, _ = d.ParametersJsonSchema.(map[string]any)
			o.describe(f)
			f.properties = make(map[string]map[string]any)
			properties, _ := f.Schema["properties"].(map[string]any)
			for name, p := range properties {
				f.properties[name], _ = p.(map[string]any)
			}
			required, _ := f.Schema["required"].([]any)
			for _, name := range required {
				f.required = append(f.required, fmt.Sprint(name))
			}
			all = append(all, f)
		}
	}
	return all
}

// describe adds the title and annotations, which the declaration lacks.
func (o *Model) describe(f *declaredTool) {
	if o.Lookup == nil {
		return
	}
	e, err := o.Lookup(f.Name)
	if err != nil || e.Tool == nil {
		return
	}
	f.Title = registry.Title(e.Tool)
	a := e.Tool.Annotations
	if a != nil && a.ReadOnlyHint {
		f.Effect = intent.Reads
	} else if a != nil && a.DestructiveHint != nil && *a.DestructiveHint {
		f.Effect = intent.Changes
	}
}

// missing returns the required arguments that args lacks.
func (f *declaredTool) missing(args map[string]any) []string {
	return slices.DeleteFunc(slices.Clone(f.required), func(name string) bool {
		_, ok := args[name]
		return ok
	})
}

// noModelLabel is the label of every answer.
const noModelLabel = "No model · "

// plan answers a request with a call, or with the reason why there is none. seen contains the
// results of earlier calls.
func (o *Model) plan(ctx context.Context, message *genai.Content, seen []string, all []*declaredTool) ([]*genai.Part, error) {
	if contents.HasAttachment(message) {
		return textPart(noModelLabel + "Attached files need a model, so I did nothing. Send your message without them, or add a Gemini key."), nil
	}
	request := userText(message)
	if len(all) == 0 {
		return textPart(noModelLabel + "No tool is connected. Connect a tool server, or add a Gemini key."), nil
	}
	if strings.HasPrefix(request, "/") {
		return o.runCommand(ctx, request, all)
	}
	if answer := o.smallTalk(request, all); answer != "" {
		return textPart(noModelLabel + answer), nil
	}
	tools := make([]intent.Tool, len(all))
	offers := make(map[string]*declaredTool, len(all))
	for i, f := range all {
		tools[i], offers[f.Name] = f.Tool, f
	}
	found := intent.Find(request, tools, seen...)
	switch {
	case found.Tool != nil:
		f := offers[found.Tool.Name]
		return o.call(ctx, f, found.Args, noModelLabel+f.label()+found.Later())
	case len(found.Options) > 0:
		return o.choose(ctx, found.Options, offers)
	case found.Lack != nil:
		return textPart(noModelLabel + missingOperationText(found.Lack, offers)), nil
	}
	return textPart(noModelLabel + "I can't do that with the connected tools. " + suggest(all)), nil
}

// choose lets the user choose between tools that may match.
func (o *Model) choose(ctx context.Context, options []intent.Option, offers map[string]*declaredTool) ([]*genai.Part, error) {
	q := agent.Question{Description: "Which tool do you mean?"}
	var values []any
	var lines []string
	for _, option := range options {
		f := offers[option.Tool.Name]
		server := o.server(f.Server)
		detail := server
		if f.label() != f.Own {
			detail += " · " + f.Own
		}
		q.Choices = append(q.Choices, agent.Choice{Value: f.Name, Label: f.label(), Detail: detail})
		values = append(values, map[string]any{"const": f.Name, "title": f.label() + " (" + server + ")"})
		lines = append(lines, fmt.Sprintf("- %s: /%s %s", f.label(), f.Name, exact.String(option.Args)))
	}
	which, direct := "Which of these do you mean? Call one with:", "To call a tool directly, write one of these:"
	if len(lines) == 1 {
		which, direct = "Did you mean this? Call it with:", "To call the tool directly, write:"
	}
	if o.Ask == nil {
		return textPart(noModelLabel + which + "\n" + strings.Join(lines, "\n")), nil
	}
	q.Schema = map[string]any{"type": "object", "required": []any{"tool"}, "properties": map[string]any{
		"tool": map[string]any{"title": "Tool", "type": "string", "oneOf": values},
	}}
	answer, err := o.Ask(ctx, q)
	switch {
	case errors.Is(err, agent.ErrDeclined):
		return textPart(noModelLabel + "Nothing was called. " + direct + "\n" + strings.Join(lines, "\n")), nil
	case err != nil:
		return nil, fmt.Errorf("choosing a tool: %w", err)
	}
	for _, option := range options {
		if answer["tool"] == option.Tool.Name {
			f := offers[option.Tool.Name]
			return o.call(ctx, f, option.Args, noModelLabel+f.label())
		}
	}
	return nil, fmt.Errorf("choosing a tool: %v is not one of them", answer["tool"])
}

// runCommand handles "/tool" and "/tool {json}".
func (o *Model) runCommand(ctx context.Context, request string, all []*declaredTool) ([]*genai.Part, error) {
	name, rest, _ := strings.Cut(request[1:], " ")
	if at := strings.IndexAny(name, "{\n\t"); at >= 0 {
		name, rest = request[1:1+at], request[1+at:]
	}
	var found []*declaredTool
	for _, f := range all {
		if f.Name == name {
			found = []*declaredTool{f}
			break
		}
		if f.Own == name {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return textPart(fmt.Sprintf(noModelLabel+"There is no tool %q. Connected tools: %s.", name, toolNames(all))), nil
	case 1:
	default:
		return textPart(fmt.Sprintf(noModelLabel+"More than one server has a tool %q. Choose one: /%s, or /%s.", name, found[0].Name, found[1].Name)), nil
	}
	args := make(map[string]any)
	request = strings.TrimSpace(request)
	if rest = strings.TrimSpace(rest); rest != "" {
		if err := exact.Decode([]byte(rest), &args); err != nil {
			return textPart(fmt.Sprintf(noModelLabel+"The arguments of /%s are not a JSON object%s: %s. An example: /%s %s", name, syntaxErrorPlace(request, len(request)-len(rest)), notObjectText(rest, err), name, example(found[0]))), nil
		}
	}
	return o.call(ctx, found[0], args, noModelLabel+found[0].label())
}

// notObjectText returns the error message for a text that is not a JSON object. The message contains no
// names of Go types.
func notObjectText(text string, err error) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return err.Error()
	}
	switch v.(type) {
	case []any:
		return "this is a list"
	case string:
		return "this is a text"
	case float64:
		return "this is a number"
	case bool:
		return "this is true or false"
	}
	return err.Error()
}

// syntaxErrorPlace describes where the JSON at the end of a request has a syntax error. It returns "" if the
// syntax is correct.
func syntaxErrorPlace(request string, from int) string {
	var v any
	var at *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(request[from:]), &v), &at) {
		return ""
	}
	before := request[:from+max(int(at.Offset)-1, 0)]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf(" (line %d, column %d)", strings.Count(before, "\n")+1, utf8.RuneCountInString(line)+1)
}

// call asks the user for missing arguments and returns the call.
func (o *Model) call(ctx context.Context, f *declaredTool, args map[string]any, lead string) ([]*genai.Part, error) {
	if open := f.missing(args); len(open) > 0 {
		if o.Ask == nil {
			return textPart(fmt.Sprintf("%s also needs %s. Call it as /%s %s", lead, enumeration.And(open), f.Own, example(f))), nil
		}
		complete, err := o.Ask(ctx, agent.Question{
			Name: f.Name, Server: o.server(f.Server), Tool: f.Own, Description: f.Description, Schema: f.Schema, Args: maps.Clone(args),
		})
		switch {
		case errors.Is(err, agent.ErrDeclined):
			return textPart(lead + " needs its arguments. You closed the form, so nothing was called."), nil
		case err != nil:
			return nil, fmt.Errorf("arguments of %s: %w", f.Name, err)
		}
		args = complete
	}
	return []*genai.Part{
		genai.NewPartFromText(lead),
		{FunctionCall: &genai.FunctionCall{Name: f.Name, Args: args}},
	}, nil
}

func textPart(text string) []*genai.Part { return []*genai.Part{genai.NewPartFromText(text)} }

func userText(c *genai.Content) string {
	var b strings.Builder
	for _, p := range c.Parts {
		if p.Text != "" && !p.Thought {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(p.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

func toolNames(all []*declaredTool) string {
	names := make([]string, 0, len(all))
	for _, f := range all[:min(len(all), 40)] {
		names = append(names, f.Own)
	}
	if len(all) > len(names) {
		names = append(names, fmt.Sprintf("and %d more", len(all)-len(names)))
	}
	return strings.Join(names, ", ")
}

// example returns example JSON with the required arguments.
func example(f *declaredTool) string {
	args := make(map[string]any)
	for _, name := range f.required {
		p := f.properties[name]
		switch kind, _ := p["type"].(string); kind {
		case "number", "integer":
			args[name] = 1
		case "boolean":
			args[name] = true
		case "array":
			args[name] = []any{}
		case "object":
			args[name] = map[string]any{}
		default:
			args[name] = "…"
			if values, ok := p["enum"].([]any); ok && len(values) > 0 {
				args[name] = values[0]
			}
		}
	}
	return exact.String(args)
}
