package offline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/contents"
	"goated/agent/intent"
)

// answer reports the results of the tools. If a result offers values instead, such as the names of
// similar facts, the user chooses one, and answer calls the tool again with it.
func (o *Model) answer(ctx context.Context, history []*genai.Content, all []*declaredTool) ([]*genai.Part, error) {
	last := history[len(history)-1]
	if text := knownFacts(history); text != "" {
		return textPart(text), nil
	}
	report := textPart(contents.Report(last, fileRead(history, all), userErrorText))
	if o.Ask == nil || o.Lookup == nil || len(last.Parts) != 1 || len(history) < 2 {
		return report, nil
	}
	r := last.Parts[0].FunctionResponse
	result, _ := r.Response["output"].(string)
	e, err := o.Lookup(r.Name)
	if err != nil { // the tool's server is gone
		return report, nil
	}
	argument, values := e.OfferedValues(result)
	if len(values) == 0 {
		return report, nil
	}
	args := make(map[string]any)
	for _, p := range history[len(history)-2].Parts {
		if p.FunctionCall != nil {
			maps.Copy(args, p.FunctionCall.Args)
		}
	}
	q := agent.Question{Description: fmt.Sprintf("There is no %q. Which of these do you mean?", args[argument])}
	var choices []any
	for _, v := range values {
		q.Choices = append(q.Choices, agent.Choice{Value: v, Label: v, Detail: o.server(e.Server)})
		choices = append(choices, v)
	}
	q.Schema = map[string]any{"type": "object", "required": []any{"tool"}, "properties": map[string]any{
		"tool": map[string]any{"title": "Name", "type": "string", "enum": choices},
	}}
	chosen, err := o.Ask(ctx, q)
	switch {
	case errors.Is(err, agent.ErrDeclined):
		return report, nil
	case err != nil:
		return nil, fmt.Errorf("choosing the %s of %s: %w", argument, r.Name, err)
	}
	args[argument] = chosen["tool"]
	return []*genai.Part{
		genai.NewPartFromText(fmt.Sprintf("%s%v", noModelLabel, chosen["tool"])),
		{FunctionCall: &genai.FunctionCall{Name: r.Name, Args: args}},
	}, nil
}

// fileRead returns the file extension if the last results are the text of a file, or "" otherwise.
func fileRead(history []*genai.Content, all []*declaredTool) string {
	if len(history) < 2 || len(history[len(history)-1].Parts) != 1 {
		return ""
	}
	for _, p := range history[len(history)-2].Parts {
		if p.FunctionCall == nil {
			continue
		}
		if i := slices.IndexFunc(all, func(f *declaredTool) bool { return f.Name == p.FunctionCall.Name }); i >= 0 {
			return intent.ReadsFile(all[i].Tool, p.FunctionCall.Args)
		}
	}
	return ""
}

// knownFacts answers a question about everything in a memory, such as "what do you know about me".
// If nothing is stored under the key "me", the result lists other facts below its first line, or
// none. knownFacts returns "" for other results.
func knownFacts(history []*genai.Content) string {
	if len(history) < 3 {
		return ""
	}
	last, call, asked := history[len(history)-1], history[len(history)-2], history[len(history)-3]
	if len(last.Parts) != 1 || !slices.ContainsFunc(call.Parts, func(p *genai.Part) bool {
		return p.FunctionCall != nil && slices.Contains(slices.Collect(maps.Values(p.FunctionCall.Args)), any(intent.AllFacts))
	}) || !intent.AsksForAll(userText(asked)) {
		return ""
	}
	result, _ := last.Parts[0].FunctionResponse.Response["output"].(string)
	first, others, _ := strings.Cut(strings.TrimSpace(result), "\n")
	if !strings.HasSuffix(strings.ToLower(first), "key: "+intent.AllFacts) {
		return ""
	}
	if others == "" {
		return "Nothing is stored yet. Tell me a fact, for example: remember that my locker is 12."
	}
	return others + "\n\nAsk me about one of them, for example: what do you know about my locker?"
}
