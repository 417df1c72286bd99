package openai

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"google.golang.org/genai"

	"goated/agent/think"
	"goated/internal/exact"
	"goated/internal/lazyregexp"
)

// arguments decodes the arguments of a call without losing digits.
func arguments(text string) (map[string]any, error) {
	if strings.TrimSpace(text) == "" {
		return map[string]any{}, nil
	}
	var args map[string]any
	if err := exact.Decode([]byte(text), &args); err != nil {
		var within string // some models encode the object as a string once more
		if json.Unmarshal([]byte(text), &within) != nil || exact.Decode([]byte(within), &args) != nil {
			return nil, err
		}
	}
	if args == nil {
		args = map[string]any{}
	}
	return args, nil
}

// otherLetter matches the characters that OpenAI's interface refuses in function names.
var otherLetter = lazyregexp.New(`[^A-Za-z0-9_-]`)

// translate translates a request. names maps the service's function names to ours. headless reports
// whether an answer in the history began with thoughts without an opening tag. The request includes
// the data of a [returnData] only if it comes from the same service and model, which from identifies.
func translate(history []*genai.Content, config *genai.GenerateContentConfig, from string) (params sdk.ChatCompletionNewParams, names map[string]string, headless bool) {
	params = sdk.ChatCompletionNewParams{StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)}}
	names = map[string]string{}
	if config.SystemInstruction != nil {
		params.Messages = append(params.Messages, sdk.SystemMessage(textOf(config.SystemInstruction)))
	}
	for _, t := range config.Tools {
		for _, f := range t.FunctionDeclarations {
			name := otherLetter.ReplaceAllString(f.Name, "_")
			for i := 2; names[name] != "" && names[name] != f.Name; i++ {
				name = fmt.Sprintf("%.60s_%d", otherLetter.ReplaceAllString(f.Name, "_"), i)
			}
			names[name] = f.Name
			schema, _ := f.ParametersJsonSchema.(map[string]any)
			params.Tools = append(params.Tools, sdk.ChatCompletionFunctionTool(sdk.FunctionDefinitionParam{
				Name: name, Description: sdk.String(f.Description), Parameters: schema,
			}))
		}
	}
	theirs := map[string]string{}
	for name, ours := range names {
		theirs[ours] = name
	}
	var ids []string // of the calls in the previous content
	for i, c := range history {
		if c.Role == genai.RoleModel {
			text, missing := think.Answer(textOf(c))
			headless = headless || missing
			var message sdk.ChatCompletionMessageParamUnion
			message, ids = fromModel(c, text, i, theirs, from)
			params.Messages = append(params.Messages, message)
			continue
		}
		params.Messages = append(params.Messages, fromUser(c, ids, from)...)
	}
	return params, names, headless
}

// textOf joins the texts of a content, except thoughts.
func textOf(c *genai.Content) string {
	var texts []string
	for _, p := range c.Parts {
		if p.Text != "" && !p.Thought {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// fromModel translates an answer of the model, with the given text. It returns the IDs of the
// answer's calls, and generates one for each call without an ID.
func fromModel(c *genai.Content, text string, at int, theirs map[string]string, from string) (sdk.ChatCompletionMessageParamUnion, []string) {
	message := sdk.AssistantMessage(text)
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
		id = callID(id, from)
		ids = append(ids, id)
		args, err := json.Marshal(call.Args)
		if err != nil || call.Args == nil {
			args = []byte("{}")
		}
		name := theirs[call.Name]
		if name == "" {
			name = otherLetter.ReplaceAllString(call.Name, "_")
		}
		made := &sdk.ChatCompletionMessageFunctionToolCallParam{ID: id, Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: name, Arguments: string(args)}}
		if extra := returnDataOf(p, from).Extra; extra != nil {
			made.SetExtraFields(map[string]any{"extra_content": extra})
		}
		message.OfAssistant.ToolCalls = append(message.OfAssistant.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: made})
	}
	if back := extraFields(c, from); len(ids) > 0 && len(back) > 0 {
		message.OfAssistant.SetExtraFields(back)
	}
	return message, ids
}

// These patterns match Mistral's models, and the IDs of calls that they accept.
var (
	ofMistral = lazyregexp.New(`(?i)(mis|minis|magis|devs|codes|pix|mix|vox)tral`)
	shortID   = lazyregexp.New(`^[a-zA-Z0-9]{9}$`)
)

// callID returns the ID of a call in a request to a service and model, which from identifies. Mistral's
// models refuse an ID of another form, such as that of another model: "Tool call id was … but must be
// a-z, A-Z, 0-9, with a length of 9".
func callID(id, from string) string {
	if shortID.MatchString(id) || !ofMistral.MatchString(from) {
		return id
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:9]
}

// fromUser translates a content of the user: a message, or responses to calls. The images of
// responses follow in a message, because responses can contain only text.
func fromUser(c *genai.Content, ids []string, from string) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	var parts []sdk.ChatCompletionContentPartUnionParam
	n := 0
	for _, p := range c.Parts {
		switch r := p.FunctionResponse; {
		case r != nil:
			id := callID(r.ID, from)
			if r.ID == "" && n < len(ids) {
				id = ids[n]
			}
			n++
			out = append(out, sdk.ToolMessage(responseText(r), id))
			for _, m := range r.Parts {
				if m.InlineData != nil {
					parts = append(parts, image(m.InlineData.MIMEType, m.InlineData.Data))
				}
			}
		case p.InlineData != nil:
			parts = append(parts, image(p.InlineData.MIMEType, p.InlineData.Data))
		case p.Text != "":
			parts = append(parts, sdk.TextContentPart(p.Text))
		}
	}
	if len(parts) > 0 {
		out = append(out, sdk.UserMessage(parts))
	}
	return out
}

// responseText returns a response as text.
func responseText(r *genai.FunctionResponse) string {
	if said, ok := r.Response["output"].(string); ok && len(r.Response) == 1 {
		return said
	}
	data, err := json.Marshal(r.Response)
	if err != nil {
		return fmt.Sprint(r.Response)
	}
	return string(data)
}

// image translates an image. Text replaces other files.
func image(mime string, data []byte) sdk.ChatCompletionContentPartUnionParam {
	switch {
	case strings.HasPrefix(mime, "image/"):
		return sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)})
	case strings.HasPrefix(mime, "text/"), mime == "application/json":
		return sdk.TextContentPart(strings.ToValidUTF8(string(data), "\uFFFD"))
	}
	return sdk.TextContentPart("[a file of the type " + strings.ToValidUTF8(mime[:min(len(mime), 60)], "") + ", which this model can't read]")
}
