package agent

import (
	"slices"
	"strings"

	"google.golang.org/genai"
)

// A rule decides how the turn goes on after an answer.
type rule int

const (
	proceed rule = iota // keep the answer; run its calls
	end                 // end the turn; keep the text
	repeat              // discard the answer and ask again, at most maxNudges times
)

// maxNudges limits how often a turn asks again after an unusable answer.
const maxNudges = 2

// A verdict is the rule for an answer, with its arguments.
type verdict struct {
	rule  rule
	end   TurnEnded   // of end
	kind  FailureKind // of repeat: the failure if asking again does not help
	nudge string      // of repeat: is added to the system instruction
	blame bool        // of repeat: the signatures of the request are to blame
}

// judge returns the verdict on a complete answer. Its calls run only if the rule is proceed.
func (a *answer) judge() verdict {
	const again = "Your previous answer could not be used: "
	switch {
	case a.block != "":
		return verdict{rule: end, end: TurnEnded{Reason: Blocked, Cause: PromptBlocked, Code: string(a.block), Detail: a.words}}
	case slices.ContainsFunc(a.calls(), func(c *genai.FunctionCall) bool { return c.Name == "" }):
		return verdict{rule: repeat, kind: CallBroken, nudge: again + "it called a tool without a name. Call one of the declared tools, or answer in text."}
	}
	switch a.finish {
	case genai.FinishReasonStop:
	case "", genai.FinishReasonUnspecified:
		// The stream ended before the model finished. Half a call may look like a whole one.
		return verdict{rule: repeat, kind: AnswerCut}
	case genai.FinishReasonMaxTokens:
		return verdict{rule: end, end: TurnEnded{Reason: Truncated}}
	case genai.FinishReasonMalformedFunctionCall, "MALFORMED_RESPONSE":
		return verdict{rule: repeat, kind: CallBroken, nudge: again + "the function call was malformed. Write the call again, with arguments that are valid JSON and follow the tool's schema."}
	case genai.FinishReasonUnexpectedToolCall:
		return verdict{rule: repeat, kind: CallBroken, nudge: again + "it called a tool that is not declared. Call only the declared tools, or answer in text."}
	case "MISSING_THOUGHT_SIGNATURE":
		return verdict{rule: repeat, kind: RequestBad, blame: true}
	case genai.FinishReasonTooManyToolCalls:
		return verdict{rule: repeat, kind: CallsTooMany, nudge: again + "it called too many tools. Call few tools at a time, and answer when you have enough."}
	default:
		return verdict{rule: end, end: TurnEnded{Reason: Blocked, Cause: AnswerWithheld, Code: string(a.finish), Detail: a.words}}
	}
	switch {
	case len(a.calls()) > 0 || a.hasText():
		return verdict{}
	case slices.ContainsFunc(a.parts, func(p *genai.Part) bool { return p.Thought }):
		return verdict{rule: repeat, kind: OnlyThoughts, nudge: again + "you thought, but gave no answer. Give the answer now, in text or as a function call."}
	}
	return verdict{rule: repeat, kind: AnswerEmpty, nudge: again + "it was empty. Give the answer now, in text or as a function call."}
}

// hasText reports whether the answer contains anything for the user besides calls and thoughts.
func (a *answer) hasText() bool {
	return slices.ContainsFunc(a.parts, func(p *genai.Part) bool {
		return !p.Thought && (strings.TrimSpace(p.Text) != "" || p.InlineData != nil || p.FileData != nil || p.ExecutableCode != nil || p.CodeExecutionResult != nil)
	})
}
