package dialog

import (
	"errors"
	"fmt"
	"slices"
)

// A ThinkingMode is how much thought the user wants for the next step.
type ThinkingMode string

// These are the thinking modes of seed 004. The user chooses them with Q, N, D and U.
const (
	Quick  ThinkingMode = "quick"
	Normal ThinkingMode = "normal"
	Deep   ThinkingMode = "deep"
	Ultra  ThinkingMode = "ultra"
)

// ThinkingModes returns the modes, from the fastest to the most thorough.
func ThinkingModes() []ThinkingMode { return []ThinkingMode{Quick, Normal, Deep, Ultra} }

// An Action is what the caller should do with the user's decision.
type Action string

// These are the actions of a planner.
const (
	Plan    Action = "plan"    // only plan, change nothing, and ask again
	Execute Action = "execute" // do it
	Submit  Action = "submit"  // do it, and ask again when it is done
)

// Actions returns the actions in the order of the planner's buttons.
func Actions() []Action { return []Action{Plan, Execute, Submit} }

// A Planner asks the user how to continue. It shows an overview in Markdown and a plan.
type Planner struct {
	DecisionContext string   `json:"decision_context" jsonschema:"Context for the decision: what has to be decided, and why now."`
	VisualOutput    string   `json:"visual_output,omitempty" jsonschema:"Markdown content for visual display: status, findings, tables."`
	Plan            string   `json:"plan,omitempty" jsonschema:"Implementation plan, as Markdown."`
	Options         []Option `json:"options" jsonschema:"The ways to go on. The user can also write their own."`
	DefaultAction   string   `json:"default_action,omitempty" jsonschema:"The value of the option that is chosen at first."`
}

// Kind implements [Question].
func (*Planner) Kind() Kind { return KindPlanner }

// Subject implements [Question].
func (p *Planner) Subject() string { return p.DecisionContext }

// Check implements [Question]. A planner without options lets the user continue or stop.
func (p *Planner) Check() error {
	if len(p.Options) == 0 {
		p.Options = []Option{{Label: "Continue", Value: "continue"}, {Label: "Stop", Value: "stop"}}
	}
	err := errors.Join(
		checkRequired("decision_context", p.DecisionContext, MaxSubject),
		checkLength("visual_output", p.VisualOutput, MaxBody),
		checkLength("plan", p.Plan, MaxBody),
		checkOptions(p.Options),
	)
	if _, ok := enabledOption(p.Options, p.DefaultAction); err == nil && p.DefaultAction != "" && !ok {
		return fmt.Errorf("default_action %q is not the value of an option", p.DefaultAction)
	}
	return err
}

// Accept implements [Question]. The answer needs an option, a text, or both.
func (p *Planner) Accept(a Answer) error {
	if !a.isGiven() {
		return nil
	}
	if a.Choice == "" && a.Context == "" && len(a.Attachments) == 0 {
		return errors.New("choose an option or write what to do")
	}
	if _, ok := enabledOption(p.Options, a.Choice); a.Choice != "" && !ok {
		return fmt.Errorf("%q is not an option", a.Choice)
	}
	if a.ThinkingMode != "" && !slices.Contains(ThinkingModes(), a.ThinkingMode) {
		return fmt.Errorf("%q is not a thinking mode", a.ThinkingMode)
	}
	if a.Action != "" && !slices.Contains(Actions(), a.Action) {
		return fmt.Errorf("%q is not an action", a.Action)
	}
	return nil
}
