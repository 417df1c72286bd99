package pause

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/lazyregexp"
	"goated/servers/pause/dialog"
)

// stopAndWait keeps a model from asking in a loop while no one is there.
const stopAndWait = "Stop and wait for the user's next message. Do not call the tool again before."

// correctAndRepeat is what a model has to do after wrong arguments.
const correctAndRepeat = "Correct the arguments and call the tool again."

// askInReply tells the model what to do if a dialog returned no usable answer. A second call would
// not return one either.
const askInReply = "Do not call the tool again. Ask the user in your reply, then stop and wait for their next message."

// An output is the result for the model. Its fields have the names in the seed's response.
type output struct {
	Status       status              `json:"status" jsonschema:"answered, cancelled, declined (the user refused to answer), text (the user wrote an answer instead of choosing) or error"`
	Choice       string              `json:"choice,omitempty" jsonschema:"The value of the chosen option."`
	Label        string              `json:"label,omitempty" jsonschema:"The label of the chosen option."`
	Choices      []string            `json:"choices,omitzero" jsonschema:"The values of the chosen options."`
	Text         *string             `json:"text,omitempty" jsonschema:"The user's text."`
	Confirmed    *bool               `json:"confirmed,omitempty" jsonschema:"Whether the user said yes."`
	ThinkingMode dialog.ThinkingMode `json:"thinkingMode,omitempty" jsonschema:"quick, normal, deep or ultra"`
	Action       dialog.Action       `json:"action,omitempty" jsonschema:"plan, execute or submit"`
	Context      string              `json:"additionalContext,omitempty" jsonschema:"The user's text beside the choice."`
	Attachments  []attachment        `json:"attachments,omitempty" jsonschema:"The files of the user. Their content follows this text."`
	Instruction  string              `json:"instruction" jsonschema:"What to do next."`
	Error        string              `json:"error,omitempty"`
	Timestamp    string              `json:"timestamp,omitempty"`
}

// A status describes how a dialog ended.
type status string

const (
	answered  status = "answered"
	cancelled status = "cancelled"
	declined  status = "declined"
	asText    status = "text"
	fault     status = "error"
)

func statuses() []status { return []status{answered, cancelled, declined, asText, fault} }

type attachment struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Bytes int    `json:"bytes"`
}

func outputSchema() *jsonschema.Schema {
	schema := schemaOf(output{})
	schema.AdditionalProperties = nil // a later version may have more fields
	return schema
}

// result returns the tool's result for an answer: the same object as structured content and as
// text, followed by the attachments. A cancelled dialog is a normal result.
func result(q dialog.Question, a dialog.Answer) *mcp.CallToolResult {
	o := output{
		Status: answered, Choice: a.Choice, Label: dialog.Label(q, a.Choice), Choices: a.Choices, Confirmed: a.Confirmed,
		ThinkingMode: a.ThinkingMode, Action: a.Action, Context: a.Context, Instruction: instruction(q, a),
	}
	if !a.Time.IsZero() {
		o.Timestamp = a.Time.UTC().Format(time.RFC3339Nano)
	}
	switch {
	case a.Declined:
		return respond(output{Status: declined, Timestamp: o.Timestamp, Instruction: "The user declined to answer. Do not ask again. " + stopAndWait}, nil)
	case a.Cancelled:
		return respond(output{Status: cancelled, Timestamp: o.Timestamp, Instruction: "The user closed the dialog without an answer. Do not ask again. " + stopAndWait}, nil)
	case a.SwitchToText:
		o.Text, o.Status, o.Instruction = &a.Text, asText, "The user answered in their own words. Follow the text."
	}
	if !a.SwitchToText { // an empty answer is an answer too
		switch q.(type) {
		case *dialog.TextInput:
			o.Text = &a.Text
		case *dialog.MultiChoice:
			o.Choices = append([]string{}, a.Choices...)
		}
	}
	var files []mcp.Content
	for _, file := range a.Attachments {
		o.Attachments = append(o.Attachments, attachment{file.Name, file.Type, len(file.Data)})
		files = append(files, content(file))
	}
	return respond(o, files)
}

func respond(o output, files []mcp.Content) *mcp.CallToolResult {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // it contains only strings and numbers
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(text), Content: append([]mcp.Content{&mcp.TextContent{Text: string(text)}}, files...)}
}

// failed returns the tool's result for a question that the user did not get.
func failed(instruction string, err error) *mcp.CallToolResult {
	r := respond(output{Status: fault, Error: err.Error(), Instruction: instruction}, nil)
	r.IsError = true
	return r
}

// jsonErrors converts errors of the helper tools to JSON, like all other results. The SDK writes them
// as text. In the older protocol, the SDK itself asks the client for the answer. It fails the
// request if the answer does not fit the form, or if the client cannot show the form. The model
// needs a result instead that tells it what to do.
func jsonErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		out, err := next(ctx, method, r)
		if call, ok := r.(*mcp.CallToolRequest); ok && err != nil && ctx.Err() == nil && asksUser(call.Params.Name) {
			return failed(askInReply, invalidAnswerError(err)), nil
		}
		res, ok := out.(*mcp.CallToolResult)
		if err != nil || !ok || !res.IsError || res.StructuredContent != nil || len(res.Content) != 1 {
			return out, err
		}
		if text, ok := res.Content[0].(*mcp.TextContent); ok {
			next := correctAndRepeat
			if errors.As(res.GetError(), new(storageError)) {
				next = "Do not call the tool again. Tell the user that the preferences cannot be read or saved, and go on without them."
			}
			res.Content = failed(next, errors.New(text.Text)).Content
		}
		return res, nil
	}
}

// tooLong matches the error of a form check about a text that is too long.
var tooLong = lazyregexp.New(`contains (\d+) Unicode code points, more than (\d+)`)

// invalidAnswerError describes what is wrong with an answer that does not fit its form. It returns other errors
// unchanged.
func invalidAnswerError(err error) error {
	_, why, ok := strings.Cut(err.Error(), "does not match requested schema: ")
	if !ok {
		return err
	}
	if m := tooLong.FindStringSubmatch(why); m != nil {
		sentence := fmt.Sprintf("The answer has %s characters; at most %s are allowed.", m[1], m[2])
		return errors.New(sentence)
	}
	return fmt.Errorf("the user's answer does not fit the form: %s", why)
}

func asksUser(tool string) bool {
	return slices.ContainsFunc(dialogTools(), func(t dialogTool) bool { return string(t.kind) == tool })
}

func content(file dialog.Attachment) mcp.Content {
	switch kind, _, _ := strings.Cut(file.Type, "/"); kind {
	case "image":
		return &mcp.ImageContent{MIMEType: file.Type, Data: file.Data}
	case "audio":
		return &mcp.AudioContent{MIMEType: file.Type, Data: file.Data}
	case "text":
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "attachment:///" + file.Name, MIMEType: file.Type, Text: string(file.Data)}}
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "attachment:///" + file.Name, MIMEType: file.Type, Blob: file.Data}}
}

const goOn = "Go on with the user's answer."

// instruction turns the user's choices into words for the model.
func instruction(q dialog.Question, a dialog.Answer) string {
	switch q := q.(type) {
	case *dialog.Planner:
	case *dialog.Confirm:
		switch {
		case a.Confirmed == nil || *a.Confirmed:
			return goOn
		case q.IsDangerous:
			return "The user said no. Do not do it."
		}
		return "The user said no. Go on with that answer."
	default:
		return goOn
	}
	var words []string
	switch a.ThinkingMode {
	case dialog.Quick:
		words = append(words, "Answer quickly.")
	case dialog.Deep:
		words = append(words, "Think deeply before you act.")
	case dialog.Ultra:
		words = append(words, "Think as thoroughly as you can before you act: ultrathink.")
	}
	switch a.Action {
	case dialog.Plan:
		words = append(words, "Only plan: change nothing. Call planner again with the plan.")
	case dialog.Submit:
		words = append(words, "Do what the user decided. Call planner again when it is done.")
	default:
		words = append(words, "Do what the user decided.")
	}
	if a.Choice == "" && a.Context != "" {
		words = append(words, "The user chose none of the options: follow the text.")
	}
	return strings.Join(words, " ")
}
