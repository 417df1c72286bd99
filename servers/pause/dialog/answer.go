package dialog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// An Answer is the user's answer to a question. The question determines which fields are used. The
// zero value is an empty answer.
type Answer struct {
	Cancelled    bool         `json:"cancelled,omitempty"`    // the user closed the dialog
	Declined     bool         `json:"declined,omitempty"`     // set with Cancelled: the user refused to answer
	SwitchToText bool         `json:"switchToText,omitempty"` // the user wrote Text instead of the requested answer
	Choice       string       `json:"choice,omitempty"`       // the value of an option
	Choices      []string     `json:"choices,omitempty"`      // the values of options, in the order of the options
	Text         string       `json:"text,omitempty"`
	Confirmed    *bool        `json:"confirmed,omitempty"`
	ThinkingMode ThinkingMode `json:"thinkingMode,omitempty"`
	Action       Action       `json:"action,omitempty"`
	Context      string       `json:"additionalContext,omitempty"`
	Attachments  []Attachment `json:"attachments,omitempty"`
	Time         time.Time    `json:"timestamp"`
}

// isGiven reports whether the answer answers the question itself.
func (a Answer) isGiven() bool { return !a.Cancelled && !a.SwitchToText }

// MustConfirm reports whether the user has to confirm an earlier answer before another request gets
// it. A yes to something dangerous and the choice of a plan were only meant for the moment in which
// the user gave them.
func MustConfirm(q Question, a Answer) bool {
	switch q := q.(type) {
	case *Planner:
		return true
	case *Confirm:
		return q.DefaultsToNo() && (a.Confirmed == nil || *a.Confirmed)
	}
	return false
}

// MaxAttachments limits the total size of an answer's attachments, in bytes.
const MaxAttachments = 20 << 20

// Check returns an error if no question could have this answer: it has two outcomes at once, an
// empty text after a switch to text, or attachments that are too large.
func (a Answer) Check() error {
	if a.Cancelled && a.SwitchToText {
		return fmt.Errorf("an answer is cancelled and a text at once")
	}
	if a.SwitchToText && strings.TrimSpace(a.Text) == "" {
		return fmt.Errorf("write an answer")
	}
	size := 0
	for _, file := range a.Attachments {
		size += len(file.Data)
	}
	if size > MaxAttachments {
		return fmt.Errorf("the files have more than %d MB together: remove one", MaxAttachments>>20)
	}
	return nil
}

// An Attachment is a file that the user added to an answer. In JSON its data is a data URL, as in
// the original program.
type Attachment struct {
	Name string
	Type string // the media type
	Data []byte
}

type wireAttachment struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Data string `json:"data"`
}

// MarshalJSON implements [json.Marshaler].
func (a Attachment) MarshalJSON() ([]byte, error) {
	url := "data:" + a.Type + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
	return json.Marshal(wireAttachment{Name: a.Name, Type: a.Type, Data: url})
}

// UnmarshalJSON implements [json.Unmarshaler]. The data may be a data URL or plain base64.
func (a *Attachment) UnmarshalJSON(text []byte) error {
	var w wireAttachment
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	encoded := w.Data
	if head, rest, found := strings.Cut(w.Data, ","); found && strings.HasPrefix(head, "data:") {
		media, base := strings.CutSuffix(strings.TrimPrefix(head, "data:"), ";base64")
		if !base {
			return fmt.Errorf("the attachment %q is not in base64", w.Name)
		}
		if w.Type == "" {
			w.Type = media
		}
		encoded = rest
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("reading the attachment %q: %w", w.Name, err)
	}
	*a = Attachment{Name: w.Name, Type: w.Type, Data: data}
	return nil
}

// Original encodes the answer as in the original program's dialog_response, where a screenshot has
// "images" and "additionalText".
func (a Answer) Original(kind Kind) (json.RawMessage, error) {
	if kind != KindScreenshot || !a.isGiven() {
		return json.Marshal(a)
	}
	return json.Marshal(struct {
		Images []Attachment `json:"images"`
		Text   string       `json:"additionalText"`
		Time   time.Time    `json:"timestamp"`
	}{a.Attachments, a.Context, a.Time})
}

// ParseAnswer decodes an answer in goated's form or in the original program's form.
func ParseAnswer(text json.RawMessage) (Answer, error) {
	var both struct {
		Answer
		Images []Attachment `json:"images"`
		More   string       `json:"additionalText"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&both); err != nil {
		return Answer{}, fmt.Errorf("reading an answer: %w", explainTypeError(err))
	}
	a := both.Answer
	a.Attachments = append(a.Attachments, both.Images...)
	if a.Context == "" {
		a.Context = both.More
	}
	return a, a.Check()
}
