package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/openai/openai-go/v3"
	"google.golang.org/genai"

	"goated/agent/think"
	"goated/internal/exact"
)

// openAIArgs decodes the arguments of a call, with every digit.
func openAIArgs(text string) (map[string]any, error) {
	if strings.TrimSpace(text) == "" {
		return map[string]any{}, nil
	}
	var args map[string]any
	if err := exact.Decode([]byte(text), &args); err != nil {
		var within string // some models write the object as a text once more
		if json.Unmarshal([]byte(text), &within) != nil || exact.Decode([]byte(within), &args) != nil {
			return nil, err
		}
	}
	if args == nil {
		args = map[string]any{}
	}
	return args, nil
}

// otherLetter matches the letters that OpenAI's interface refuses in the name of a function.
var otherLetter = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// openAIParams translates a request. It also returns our names of the functions, by
// those of the service, and whether an answer of the history began with thoughts that had
// no opening tag.
func openAIParams(history []*genai.Content, config *genai.GenerateContentConfig) (params openai.ChatCompletionNewParams, names map[string]string, headless bool) {
	params = openai.ChatCompletionNewParams{StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}}
	names = map[string]string{}
	if config.SystemInstruction != nil {
		params.Messages = append(params.Messages, openai.SystemMessage(textOf(config.SystemInstruction)))
	}
	if config.MaxOutputTokens > 0 {
		params.MaxTokens = openai.Int(int64(config.MaxOutputTokens))
	}
	for _, t := range config.Tools {
		for _, f := range t.FunctionDeclarations {
			name := otherLetter.ReplaceAllString(f.Name, "_")
			for i := 2; names[name] != "" && names[name] != f.Name; i++ {
				name = fmt.Sprintf("%.60s_%d", otherLetter.ReplaceAllString(f.Name, "_"), i)
			}
			names[name] = f.Name
			schema, _ := f.ParametersJsonSchema.(map[string]any)
			params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
				Name: name, Description: openai.String(f.Description), Parameters: schema,
			}))
		}
	}
	theirs := map[string]string{}
	for name, ours := range names {
		theirs[ours] = name
	}
	var ids []string // of the calls of the content before
	for i, c := range history {
		if c.Role == genai.RoleModel {
			text, missing := think.Answer(textOf(c))
			headless = headless || missing
			var message openai.ChatCompletionMessageParamUnion
			message, ids = openAIAnswer(c, text, i, theirs)
			params.Messages = append(params.Messages, message)
			continue
		}
		params.Messages = append(params.Messages, openAIUser(c, ids)...)
	}
	return params, names, headless
}

// textOf joins the texts of a content, without thoughts.
func textOf(c *genai.Content) string {
	var texts []string
	for _, p := range c.Parts {
		if p.Text != "" && !p.Thought {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// openAIAnswer translates an answer of the model, with its text. It returns the ids of its calls, and
// makes one for each call that has none.
func openAIAnswer(c *genai.Content, text string, at int, theirs map[string]string) (openai.ChatCompletionMessageParamUnion, []string) {
	message := openai.AssistantMessage(text)
	var ids []string
	for j, p := range c.Parts {
		call := p.FunctionCall
		if call == nil {
			continue
		}
		id := call.ID
		if id == "" {
			id = fmt.Sprintf("call_%d_%d", at, j)
		}
		ids = append(ids, id)
		args, err := json.Marshal(call.Args)
		if err != nil || call.Args == nil {
			args = []byte("{}")
		}
		name := theirs[call.Name]
		if name == "" {
			name = otherLetter.ReplaceAllString(call.Name, "_")
		}
		message.OfAssistant.ToolCalls = append(message.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: id, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: name, Arguments: string(args)}},
		})
	}
	return message, ids
}

// openAIUser translates a content of the user: a message, or responses to calls. Images
// of responses follow in a message, because responses hold only text.
func openAIUser(c *genai.Content, ids []string) []openai.ChatCompletionMessageParamUnion {
	var out []openai.ChatCompletionMessageParamUnion
	var parts []openai.ChatCompletionContentPartUnionParam
	n := 0
	for _, p := range c.Parts {
		switch r := p.FunctionResponse; {
		case r != nil:
			id := r.ID
			if id == "" && n < len(ids) {
				id = ids[n]
			}
			n++
			out = append(out, openai.ToolMessage(responseText(r), id))
			for _, m := range r.Parts {
				if m.InlineData != nil {
					parts = append(parts, openAIImage(m.InlineData.MIMEType, m.InlineData.Data))
				}
			}
		case p.InlineData != nil:
			parts = append(parts, openAIImage(p.InlineData.MIMEType, p.InlineData.Data))
		case p.Text != "":
			parts = append(parts, openai.TextContentPart(p.Text))
		}
	}
	if len(parts) > 0 {
		out = append(out, openai.UserMessage(parts))
	}
	return out
}

// responseText returns a response as text.
func responseText(r *genai.FunctionResponse) string {
	if said, ok := r.Response["output"].(string); ok && len(r.Response) == 1 {
		return said
	}
	return compact(r.Response)
}

// openAIImage translates an image; a note stands for other files.
func openAIImage(mime string, data []byte) openai.ChatCompletionContentPartUnionParam {
	switch {
	case strings.HasPrefix(mime, "image/"):
		return openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)})
	case strings.HasPrefix(mime, "text/"), mime == "application/json":
		return openai.TextContentPart(strings.ToValidUTF8(string(data), "\uFFFD"))
	}
	return openai.TextContentPart("[a file of the type " + shortType(mime) + ", which this model can't read]")
}
