package pause

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// A property is one of the flat fields that an elicitation allows.
type property map[string]any

// A form is the requestedSchema of an elicitation. It preserves the order of its fields.
type form struct {
	names      []string
	properties map[string]property
	required   []string
}

func (f *form) add(name string, must bool, p property) {
	if f.properties == nil {
		f.properties = make(map[string]property)
	}
	f.names = append(f.names, name)
	f.properties[name] = p
	if must {
		f.required = append(f.required, name)
	}
}

// MarshalJSON writes the properties in the order in which they were added, because clients show the
// fields in the order of the schema.
func (f form) MarshalJSON() ([]byte, error) {
	var properties strings.Builder
	for i, name := range f.names {
		text, err := json.Marshal(f.properties[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			properties.WriteByte(',')
		}
		fmt.Fprintf(&properties, "%q:%s", name, text)
	}
	return json.Marshal(struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required,omitempty"`
	}{"object", json.RawMessage("{" + properties.String() + "}"), f.required})
}

// request returns the elicitation for a question. A rich one contains the question itself, for a
// client that shows the dialogs.
func request(q dialog.Question, rich bool) *mcp.ElicitParams {
	message, schema := describe(q)
	p := &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
	if rich {
		p.Meta = mcp.Meta{Extension: map[string]any{"kind": q.Kind(), "question": q}}
	}
	return p
}

func describe(q dialog.Question) (message string, f form) {
	parts := []string{q.Subject()}
	switch q := q.(type) {
	case *dialog.Planner:
		parts = append(parts, q.VisualOutput, q.Plan)
		f.add("choice", false, choice(q.Options, q.DefaultAction))
		f.add("additionalContext", false, property{"type": "string", "title": "Or write what to do"})
		f.add("thinkingMode", false, plain("Thinking", dialog.ThinkingModes(), dialog.Normal))
		f.add("action", false, plain("Then", dialog.Actions(), dialog.Execute))
	case *dialog.TextInput:
		parts = append(parts, q.Description)
		p := property{"type": "string", "title": "Answer", "maxLength": q.MaxLength}
		if q.IsRequired() {
			p["minLength"] = 1
		}
		if q.Placeholder != "" {
			p["description"] = q.Placeholder
		}
		if q.DefaultText != "" {
			p["default"] = q.DefaultText
		}
		f.add("text", q.IsRequired(), p)
	case *dialog.SingleChoice:
		parts = append(parts, q.Description)
		p := choice(q.Options, q.DefaultValue)
		p["enum"] = append(p["enum"].([]string), ownTextValue(q.Options))
		p["enumNames"] = append(p["enumNames"].([]string), ownWordsLabel)
		f.add("choice", true, p)
		f.add("text", false, ownTextField())
	case *dialog.MultiChoice:
		parts = append(parts, q.Description)
		least, most := q.Range()
		p := property{
			// One entry is enough for the form, because it may be the option for own words. Accept
			// checks the number of the others.
			"type": "array", "title": "Options", "minItems": min(least, 1), "maxItems": most, "default": checked(q.Options),
			"items": map[string]any{"anyOf": append(titledOptions(q.Options), map[string]any{"const": ownTextValue(q.Options), "title": ownWordsLabel})},
		}
		if least > 1 {
			p["description"] = fmt.Sprintf("Choose at least %d.", least)
		}
		f.add("choices", least > 0, p)
		f.add("text", false, ownTextField())
	case *dialog.Screenshot:
		parts = append(parts, q.Description)
		f.add("additionalContext", false, property{"type": "string", "title": "Text"})
	case *dialog.Confirm:
		parts = append(parts, q.Description, warning(q))
		f.add("confirmed", true, property{
			"type": "boolean", "title": q.YesLabel, "description": fmt.Sprintf("On: %s. Off: %s.", q.YesLabel, q.NoLabel), "default": !q.DefaultsToNo(),
		})
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	return strings.Join(parts, "\n\n"), f
}

// ownWordsLabel is the last option of a form that offers options. It corresponds to "Switch to
// text" in goated's own dialogs. It lets the user submit a form that requires an option.
const ownWordsLabel = "In my own words (write below)"

// ownTextValue returns the value of that option. No other option has the same value.
func ownTextValue(options []dialog.Option) string {
	value := "own_words"
	for slices.ContainsFunc(options, func(o dialog.Option) bool { return o.Value == value }) {
		value += "_"
	}
	return value
}

// ownTextField is the field for an answer that replaces the options.
func ownTextField() property {
	return property{"type": "string", "title": "Your own words", "description": "If you write here, this text is your answer and the options do not count."}
}

// answerWithText returns the answer of a form that offers options. If the user wrote a text, or chose
// to, the answer is that text.
func answerWithText(q dialog.Question, a dialog.Answer) dialog.Answer {
	var wanted bool
	switch q := q.(type) {
	case *dialog.SingleChoice:
		wanted = a.Choice == ownTextValue(q.Options)
	case *dialog.MultiChoice:
		wanted = slices.Contains(a.Choices, ownTextValue(q.Options))
	default:
		return a
	}
	if text := strings.TrimSpace(a.Text); text != "" || wanted {
		return dialog.Answer{SwitchToText: true, Text: text, Time: a.Time}
	}
	a.Text = "" // only spaces
	return a
}

// choice returns a field for one of the options. It uses enum with enumNames, which clients of all
// versions with elicitation support.
func choice(options []dialog.Option, first string) property {
	var values, names []string
	for _, o := range options {
		if o.Disabled {
			continue
		}
		values, names = append(values, o.Value), append(names, optionLine(o))
	}
	p := property{"type": "string", "title": "Option", "enum": values, "enumNames": names}
	if first != "" {
		p["default"] = first
	}
	return p
}

// optionLine returns an option's label together with everything that the dialog shows beside it, because
// a form has only one line for it.
func optionLine(o dialog.Option) string {
	name := o.Label
	if o.Group != "" {
		name = o.Group + ": " + name
	}
	if o.Description != "" {
		name += " – " + o.Description
	}
	for _, tag := range o.Tags {
		name += " #" + tag
	}
	return name
}

// warning returns what the user must know before they say yes, or "" if there is nothing.
func warning(q *dialog.Confirm) string {
	switch {
	case q.Warning != "":
		return "Warning: " + q.Warning
	case q.IsDangerous:
		return "Warning: this cannot be undone."
	}
	return ""
}

func plain[T ~string](title string, values []T, first T) property {
	return property{"type": "string", "title": title, "enum": values, "default": first}
}

func titledOptions(options []dialog.Option) []map[string]any {
	var all []map[string]any
	for _, o := range dialog.Grouped(options) {
		if !o.Disabled {
			all = append(all, map[string]any{"const": o.Value, "title": optionLine(o)})
		}
	}
	return all
}

func checked(options []dialog.Option) []string {
	all := []string{}
	for _, o := range options {
		if o.Checked && !o.Disabled {
			all = append(all, o.Value)
		}
	}
	return all
}

// answerFrom returns the user's answer from the result of an elicitation.
func answerFrom(q dialog.Question, response mcp.InputResponse) (dialog.Answer, error) {
	r, ok := response.(*mcp.ElicitResult)
	if !ok {
		return dialog.Answer{}, errors.New("the client answered an elicitation with something else")
	}
	if r.Action != "accept" { // the user does not want to answer
		return dialog.Answer{Cancelled: true, Declined: r.Action == "decline"}, nil
	}
	var content any = r.Content
	full, rich := r.Meta[Extension]
	if rich {
		content = full
	}
	text, err := json.Marshal(content)
	if err != nil {
		return dialog.Answer{}, fmt.Errorf("reading the client's answer: %w", err)
	}
	answer, err := dialog.ParseAnswer(text)
	if err != nil {
		return dialog.Answer{}, err
	}
	if !rich {
		answer = answerWithText(q, answer)
		if err := answer.Check(); err != nil {
			return answer, err
		}
	}
	return answer, q.Accept(answer)
}
