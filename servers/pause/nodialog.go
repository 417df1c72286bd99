package pause

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/arguments"
)

type (
	frequencyInput struct {
		Frequency frequency `json:"frequency" jsonschema:"minimal: only critical decisions. low: also those of high importance. normal: also medium. high: all."`
	}
	frequencyOutput struct {
		Frequency frequency `json:"dialogFrequency"`
	}
	rememberInput struct {
		Category string `json:"category" jsonschema:"The field of the decision, such as architecture or style."`
		Decision string `json:"decision" jsonschema:"The decision, in one or two words, such as test_framework."`
		Value    string `json:"value" jsonschema:"What the user decided."`
		Similar  bool   `json:"applyToSimilar,omitempty" jsonschema:"Use the value for other decisions of the category as well."`
	}
	rememberOutput struct {
		Remembered string `json:"remembered"`
	}
	checkInput struct {
		Category   string     `json:"category" jsonschema:"The field of the decision."`
		Decision   string     `json:"decision" jsonschema:"The decision."`
		Importance importance `json:"importance,omitempty" jsonschema:"low, medium, high or critical. A critical decision is always asked."`
	}
	checkOutput struct {
		Found   bool     `json:"found"`
		Value   string   `json:"value,omitempty"`
		Similar bool     `json:"similar,omitempty" jsonschema:"The value is that of a similar decision."`
		Ask     bool     `json:"shouldAsk" jsonschema:"Whether to ask the user."`
		Known   []string `json:"known,omitempty" jsonschema:"If it is not found: what is remembered, as category.decision."`
	}
	resetInput struct {
		Confirm bool `json:"confirm" jsonschema:"Has to be true."`
	}
	resetOutput struct {
		Removed int `json:"removed" jsonschema:"How many decisions were removed."`
	}
	shouldOutput struct {
		Ask    bool   `json:"shouldAsk"`
		Reason string `json:"reason"`
	}
)

// addToolsWithoutDialog adds the tools that do not show a dialog.
func (s *server) addToolsWithoutDialog(m *mcp.Server) {
	changes := &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}
	removes := &mcp.ToolAnnotations{IdempotentHint: true, OpenWorldHint: new(bool)}

	frequency := tool("set_dialog_frequency", "Set how often to ask", "Sets how often the user wants to be asked: minimal, low, normal or high. Call it only if the user says so.", changes, frequencyInput{})
	remember := tool("remember_preference", "Remember a decision", "Remembers what the user decided, so that you need not ask again.", changes, rememberInput{})
	check := tool("check_preference", "Look up a decision", "Returns what the user decided before. If the decision is unknown, it names those that are remembered.", reads, checkInput{})
	reset := tool("reset_preferences", "Forget all decisions", "Removes all remembered decisions and the frequency of questions.", removes, resetInput{})
	should := tool("should_ask_user", "Decide whether to ask", "Says whether the user wants to be asked about a decision.", reads, shouldInput{})
	mcp.AddTool(m, frequency, s.setFrequency)
	mcp.AddTool(m, remember, s.remember)
	mcp.AddTool(m, check, s.check)
	mcp.AddTool(m, reset, s.reset)
	mcp.AddTool(m, should, s.should)
	m.AddReceivingMiddleware(arguments.Middleware(frequency, remember, check, reset, should))
}

func tool(name, title, description string, annotations *mcp.ToolAnnotations, input any) *mcp.Tool {
	own := *annotations
	own.Title = title
	return &mcp.Tool{Name: name, Title: title, Description: description, Annotations: &own, InputSchema: inputSchema(input)}
}

func (s *server) setFrequency(_ context.Context, _ *mcp.CallToolRequest, in frequencyInput) (*mcp.CallToolResult, frequencyOutput, error) {
	if err := oneOf("frequency", in.Frequency, frequencies()); err != nil {
		return nil, frequencyOutput{}, err
	}
	err := s.preferences.change(func(p *saved) { p.Frequency = in.Frequency })
	return nil, frequencyOutput(in), err
}

func (s *server) remember(_ context.Context, _ *mcp.CallToolRequest, in rememberInput) (*mcp.CallToolResult, rememberOutput, error) {
	for name, text := range map[string]string{"category": in.Category, "decision": in.Decision, "value": in.Value} {
		if strings.TrimSpace(text) == "" || len(text) > maxPreference {
			return nil, rememberOutput{}, fmt.Errorf("%s must have between 1 and %d bytes", name, maxPreference)
		}
	}
	key, err := s.preferences.remember(in.Category, in.Decision, in.Value, in.Similar)
	return nil, rememberOutput{key}, err
}

// maxPreference limits each text of a decision, in bytes.
const maxPreference = 4000

func (s *server) check(_ context.Context, _ *mcp.CallToolRequest, in checkInput) (*mcp.CallToolResult, checkOutput, error) {
	if in.Importance == "" {
		in.Importance = mediumImportance
	}
	if err := oneOf("importance", in.Importance, importances()); err != nil {
		return nil, checkOutput{}, err
	}
	p, err := s.preferences.read()
	if err != nil {
		return nil, checkOutput{}, err
	}
	value, similar, found := p.find(in.Category, in.Decision)
	ask := in.Importance == criticalImportance || !found && p.Frequency.asksAbout(in.Importance)
	out := checkOutput{Found: found, Value: value, Similar: similar && found, Ask: ask}
	if !found {
		out.Known = p.keysIn(in.Category)
	}
	return nil, out, nil
}

func (s *server) reset(_ context.Context, _ *mcp.CallToolRequest, in resetInput) (*mcp.CallToolResult, resetOutput, error) {
	if !in.Confirm {
		return nil, resetOutput{}, errors.New("confirm is not true: nothing was removed")
	}
	removed := 0
	err := s.preferences.change(func(p *saved) {
		removed = len(p.Decisions)
		p.Decisions, p.Frequency = nil, normal
	})
	return nil, resetOutput{removed}, err
}

func (s *server) should(_ context.Context, _ *mcp.CallToolRequest, in shouldInput) (*mcp.CallToolResult, shouldOutput, error) {
	if err := errors.Join(
		oneOf("importance", in.Importance, importances()),
		oneOf("category", in.Category, categories()),
	); err != nil {
		return nil, shouldOutput{}, err
	}
	p, err := s.preferences.read()
	if err != nil {
		return nil, shouldOutput{}, err
	}
	ask, reason := shouldAsk(p, in)
	return nil, shouldOutput{ask, reason}, nil
}

func oneOf[T ~string](field string, got T, all []T) error {
	if slices.Contains(all, got) {
		return nil
	}
	return fmt.Errorf("%s is %q; it must be one of %q", field, got, all)
}
