package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"google.golang.org/genai"
)

// Offline is the [Model] without a key. It finds the tool that fits the words of the
// request, asks the user for missing arguments, and answers with the result. Its
// answers say that no model is answering, and why it chose the tool.
//
// The request "/tool {json}" calls a tool directly.
type Offline struct {
	// Ask completes the arguments of a tool. If it is nil, the answer lists the
	// missing arguments.
	Ask Ask
}

// Generate implements [Model].
func (o *Offline) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if len(history) == 0 {
			yield(nil, ErrNothing)
			return
		}
		last := history[len(history)-1]
		var parts []*genai.Part
		var err error
		if responds(last) {
			parts = []*genai.Part{genai.NewPartFromText(report(last))}
		} else {
			parts, err = o.plan(ctx, said(last), offers(config))
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

// An offer is a declared tool, prepared for matching.
type offer struct {
	name        string // qualified
	server      string
	tool        string // the part of the name behind the server's
	description string
	schema      any
	properties  map[string]map[string]any
	required    []string
}

// offers reads the declarations of a request.
func offers(config *genai.GenerateContentConfig) []*offer {
	if config == nil {
		return nil
	}
	var all []*offer
	for _, t := range config.Tools {
		for _, d := range t.FunctionDeclarations {
			server, tool, _ := strings.Cut(d.Name, "__")
			f := &offer{name: d.Name, server: server, tool: tool, description: d.Description, schema: d.ParametersJsonSchema}
			f.properties = make(map[string]map[string]any)
			root, _ := f.schema.(map[string]any)
			properties, _ := root["properties"].(map[string]any)
			for name, p := range properties {
				f.properties[name], _ = p.(map[string]any)
			}
			required, _ := root["required"].([]any)
			for _, name := range required {
				f.required = append(f.required, fmt.Sprint(name))
			}
			all = append(all, f)
		}
	}
	return all
}

// missing returns the required arguments that args lacks.
func (f *offer) missing(args map[string]any) []string {
	return slices.DeleteFunc(slices.Clone(f.required), func(name string) bool {
		_, ok := args[name]
		return ok
	})
}

// requires returns the set of the required arguments.
func (f *offer) requires() map[string]bool {
	names := make(map[string]bool, len(f.required))
	for _, name := range f.required {
		names[name] = true
	}
	return names
}

// plan answers a request with a call, or with the reason why there is none.
func (o *Offline) plan(ctx context.Context, request string, all []*offer) ([]*genai.Part, error) {
	if len(all) == 0 {
		return words("No model is answering, because no Gemini API key is set, and no tool is connected. Connect a tool server, or set GEMINI_API_KEY."), nil
	}
	if strings.HasPrefix(request, "/") {
		return o.direct(ctx, request, all)
	}
	m := match(request, all)
	if m == nil {
		return words(fmt.Sprintf("No model is answering, and no connected tool fits your words. "+
			"Use words that describe a tool, or call one directly with /tool {arguments}.\n\nConnected tools: %s.", list(all))), nil
	}
	return o.call(ctx, m.offer, m.args, fmt.Sprintf("No model is answering. I chose %s of %s, because %s.", m.offer.tool, m.offer.server, m.why))
}

// direct handles "/tool" and "/tool {json}".
func (o *Offline) direct(ctx context.Context, request string, all []*offer) ([]*genai.Part, error) {
	name, rest, _ := strings.Cut(request[1:], " ")
	if at := strings.IndexAny(name, "{\n\t"); at >= 0 {
		name, rest = request[1:1+at], request[1+at:]
	}
	var found []*offer
	for _, f := range all {
		if f.name == name {
			found = []*offer{f}
			break
		}
		if f.tool == name {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return words(fmt.Sprintf("There is no tool %q. Connected tools: %s.", name, list(all))), nil
	case 1:
	default:
		return words(fmt.Sprintf("More than one server has a tool %q. Choose one: /%s, or /%s.", name, found[0].name, found[1].name)), nil
	}
	args := make(map[string]any)
	if rest = strings.TrimSpace(rest); rest != "" {
		if err := json.Unmarshal([]byte(rest), &args); err != nil {
			return words(fmt.Sprintf("The arguments of /%s are not a JSON object: %v. An example: /%s %s", name, err, name, example(found[0]))), nil
		}
	}
	return o.call(ctx, found[0], args, fmt.Sprintf("No model is answering. Calling %s of %s directly.", found[0].tool, found[0].server))
}

// call returns the call, after the user has completed the arguments.
func (o *Offline) call(ctx context.Context, f *offer, args map[string]any, lead string) ([]*genai.Part, error) {
	if open := f.missing(args); len(open) > 0 {
		if o.Ask == nil {
			return words(fmt.Sprintf("%s It also needs %s. Call it as /%s %s", lead, and(open), f.tool, example(f))), nil
		}
		complete, err := o.Ask(ctx, Question{
			Name: f.name, Server: f.server, Tool: f.tool, Description: f.description, Schema: f.schema, Args: maps.Clone(args),
		})
		switch {
		case errors.Is(err, ErrDeclined):
			return words(lead + " You closed the form, so nothing was called."), nil
		case err != nil:
			return nil, fmt.Errorf("arguments of %s: %w", f.name, err)
		}
		args = complete
	}
	return []*genai.Part{
		genai.NewPartFromText(lead),
		{FunctionCall: &genai.FunctionCall{Name: f.name, Args: args}},
	}, nil
}

func words(text string) []*genai.Part { return []*genai.Part{genai.NewPartFromText(text)} }

func said(c *genai.Content) string {
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

func list(all []*offer) string {
	names := make([]string, 0, len(all))
	for _, f := range all[:min(len(all), 40)] {
		names = append(names, f.tool)
	}
	if len(all) > len(names) {
		names = append(names, fmt.Sprintf("and %d more", len(all)-len(names)))
	}
	return strings.Join(names, ", ")
}

func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// example returns the JSON of a call with the required arguments.
func example(f *offer) string {
	args := make(map[string]any)
	for _, name := range f.required {
		switch p := f.properties[name]; kindOf(p) {
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
	return compact(args)
}
