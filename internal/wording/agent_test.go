package wording

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/agent"
	"goated/agent/schema"
)

// constants returns the constants of a string type in a file, so that tests find new ones without a
// list.
func constants[T ~string](t *testing.T, path string) []T {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			name, _ := spec.Type.(*ast.Ident)
			if name == nil || name.Name != reflect.TypeFor[T]().Name() {
				return false
			}
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, T(text))
			}
		}
		return true
	})
	if len(all) == 0 {
		t.Fatalf("%s has no constants of the type", path)
	}
	return all
}

// isSentence returns an error if text is not a sentence.
func isSentence(text string) error {
	switch {
	case text == "":
		return errors.New("it is empty")
	case strings.ToUpper(text[:1]) != text[:1] && !strings.HasPrefix(text, "goated "):
		return errors.New("it begins with a small letter")
	case !strings.HasSuffix(text, "."):
		return errors.New("it has no period")
	case strings.Contains(text, "%!") || strings.Contains(text, "_"):
		return errors.New("it shows something raw")
	}
	return nil
}

// Each kind has its own sentence and advice, regardless of its arguments.
func TestFailuresHaveSentences(t *testing.T) {
	seen := make(map[string]agent.FailureKind)
	for _, kind := range constants[agent.FailureKind](t, "../../agent/failure.go") {
		for _, f := range []*agent.Failure{
			{Kind: kind},
			{Kind: kind, Model: "m", Status: "UNAVAILABLE", Message: "overloaded", RetryAfter: time.Second},
		} {
			err := fmt.Errorf("listing models: %w", f)
			text := ErrorText(err)
			if bad := isSentence(text); bad != nil {
				t.Errorf("%s: %q: %v", kind, text, bad)
			}
			if strings.Contains(text, string(kind)+":") || strings.Contains(text, "listing models") {
				t.Errorf("%s: %q is the technical text", kind, text)
			}
			if other, ok := seen[text]; ok && other != kind {
				t.Errorf("%s and %s share %q", kind, other, text)
			}
			seen[text] = kind
			if bad := isSentence(modelAdvice(err)); bad != nil && !strings.Contains(modelAdvice(err), "GEMINI_API_KEY.") {
				t.Errorf("%s: the advice %q: %v", kind, modelAdvice(err), bad)
			}
		}
	}
	page := &agent.Failure{Kind: agent.Unavailable, Status: "502 Bad Gateway", Message: "\n<html><h1>Bad gateway</h1></html>"}
	if got := ErrorText(page); strings.Contains(got, "<") || !strings.Contains(got, "(502 Bad Gateway).") {
		t.Errorf("a page of a proxy reads %q", got)
	}
	if got := ErrorText(errors.New("disk full")); got != "Disk full." {
		t.Errorf("another error reads %q", got)
	}
	if got := Advice(errors.New("disk full")); got != "" {
		t.Errorf("another error has the advice %q", got)
	}
}

func TestFailureSentences(t *testing.T) {
	limited := &agent.Failure{Kind: agent.RateLimited, Status: "RESOURCE_EXHAUSTED", Message: "slow down", RetryAfter: 33200 * time.Millisecond}
	for got, want := range map[string]string{
		ErrorText(limited):   "You reached the rate limit of your Gemini API key (RESOURCE_EXHAUSTED): slow down.",
		modelAdvice(limited): "Try again in 34 seconds. Nothing you wrote is lost.",
		modelAdvice(&agent.Failure{Kind: agent.RateLimited, RetryAfter: 150 * time.Second}): "Try again in 3 minutes. Nothing you wrote is lost.",
		modelAdvice(&agent.Failure{Kind: agent.RateLimited}):                                "Wait a minute and try again. Nothing you wrote is lost.",
		modelAdvice(&agent.Failure{Kind: agent.RateLimited, RetryAfter: 119 * time.Second}): "Try again in 119 seconds. Nothing you wrote is lost.",
		modelAdvice(&agent.Failure{Kind: agent.RateLimited, RetryAfter: 120 * time.Second}): "Try again in 2 minutes. Nothing you wrote is lost.",
		ErrorText(&agent.Failure{Kind: agent.Unreachable, Message: "port 3"}):               "goated can't reach Gemini: port 3.",
		ErrorText(&agent.Failure{Kind: agent.Unreachable, Message: "closed (twice)"}):       "goated can't reach Gemini: closed (twice).",
		ErrorText(&agent.Failure{Kind: agent.Unreachable, Message: "why?"}):                 "goated can't reach Gemini: why?",
		ErrorText(&agent.Failure{Kind: agent.Unreachable, Message: "no such host"}):         "goated can't reach Gemini: no such host.",
		ErrorText(&agent.Failure{Kind: agent.ContextFull}):                                  "The conversation is larger than the context of the model.",
		ErrorText(&agent.Failure{Kind: agent.ContextFull, Window: 8000}):                    "The conversation is larger than the context of the model, which has 8k tokens.",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTurnEndsHaveSentences(t *testing.T) {
	for _, cause := range agent.Causes() {
		for _, code := range []string{"", "SAFETY", "PROHIBITED_CONTENT", "NEW_CODE"} {
			text := TurnEndText(agent.TurnEnded{Reason: agent.Blocked, Cause: cause, Code: code, Detail: "because"})
			if bad := isSentence(text); bad != nil {
				t.Errorf("%s %s: %q: %v", cause, code, text, bad)
			}
		}
	}
	for got, want := range map[string]string{
		RetryText(agent.RetryScheduled{Kind: agent.RateLimited, Left: 33200 * time.Millisecond}): "You reached the rate limit of your API key. goated tries again in 34 seconds.",
		RetryText(agent.RetryScheduled{Kind: agent.Unreachable, Left: time.Second}):              "goated can't reach the model. goated tries again in 1 second.",
		RetryText(agent.RetryScheduled{Kind: agent.AnswerCut, Left: time.Second}):                "The answer broke off. goated tries again in 1 second.",
		EventText(agent.TextDelta{}):                                                                   "",
		EventText(agent.AnswerDiscarded{Kind: agent.CallsTooMany}):                                     "The model called too many tools at once. goated asked again.",
		answerDiscardedText(agent.AnswerDiscarded{Kind: agent.OnlyThoughts}):                           "The model thought about it, but gave no answer. goated asked again.",
		ContextTrimmedText(agent.ContextTrimmed{Results: 2}):                                           "The conversation is long, so goated shortened old results of tools for the model. You still see all of them.",
		ContextTrimmedText(agent.ContextTrimmed{Media: 1}):                                             "The conversation is long, so goated shortened old images and files for the model. You still see all of them.",
		ContextTrimmedText(agent.ContextTrimmed{Results: 2, Media: 1}):                                 "The conversation is long, so goated shortened old results of tools, images and files for the model. You still see all of them.",
		MediaRemovedText(agent.MediaRemoved{Types: []string{"image/bmp"}, Reason: "unsupported type"}): "The model can't read a file (image/bmp), so goated left it out and went on: Unsupported type.",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for e, want := range map[agent.TurnEnded]string{
		{Reason: agent.Done}:                                "",
		{Reason: agent.StepLimit, Steps: 1}:                 "Stopped after 1 step. The model wanted to go on: send a message to let it.",
		{Reason: agent.StepLimit, Steps: 10}:                "Stopped after 10 steps. The model wanted to go on: send a message to let it.",
		{Reason: agent.NoSummary}:                           "No summary is used. The model gets the earlier messages as before.",
		{Reason: agent.NoSummary, Cause: agent.SummaryLong}: "The summary is no shorter than the earlier messages, so goated does not use it. The model gets the messages as before.",
		{Reason: agent.Truncated}:                           "The answer is cut off: the model reached its output limit. Ask it to continue.",
		{Reason: agent.Cancelled}:                           "You stopped this turn.",
		{Reason: "new"}:                                     "The turn ended: new.",
		{Reason: agent.Blocked, Detail: "old"}:              "The provider of the model withheld the answer. Old.",
		{Reason: agent.Blocked, Cause: agent.AnswerWithheld, Code: "RECITATION"}:                   "The provider of the model withheld the answer: it may repeat a copyrighted text. Ask in other words.",
		{Reason: agent.Done, Cause: agent.EmptyAnswer}:                                             "The model sent an empty answer. Try again, or ask in other words.",
		{Reason: agent.Done, Detail: "The model answered with nothing."}:                           "The model answered with nothing.",
		{Reason: agent.Blocked, Cause: agent.CallUnreadable, Code: "UNEXPECTED_TOOL_CALL"}:         "The model made a tool call that goated can't read. Try again.",
		{Reason: agent.Blocked, Cause: agent.PromptBlocked, Code: "SAFETY", Detail: "it is risky"}: "The provider of the model blocked your message: it may be unsafe. Ask in other words, or start a new conversation. It is risky.",
	} {
		if got := TurnEndText(e); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}

// The user can read why a tool is left out, and how its schema was changed.
func TestToolsThatAreLeftOut(t *testing.T) {
	text := ToolQuarantinedText(agent.ToolQuarantined{Server: "files", Tool: "read", Reason: "it is too large"})
	if bad := isSentence(text); bad != nil || !strings.Contains(text, "read of files") || !strings.HasSuffix(text, "It is too large.") {
		t.Errorf("%q: %v", text, bad)
	}
	if text := ToolQuarantinedText(agent.ToolQuarantined{Reason: "no tools"}); isSentence(text) != nil || !strings.HasPrefix(text, "The model takes no tools") {
		t.Errorf("without a tool: %q", text)
	}
	for _, k := range schema.Kinds() {
		for _, path := range []string{"", "filter.items"} {
			text := schemaChange(schema.Change{Path: path, Keyword: "not", Kind: k})
			if !strings.HasSuffix(text, ".") || strings.Contains(text, string(k)+".") {
				t.Errorf("%s: %q", k, text)
			}
		}
	}
	many := agent.Declaration{Changes: make([]schema.Change, 0, 60)}
	for i := range 60 {
		many.Changes = append(many.Changes, schema.Change{Path: fmt.Sprint("p", i/2), Keyword: "not", Kind: schema.Described})
	}
	if got := DeclarationNotes(many); len(got) != maxDeclared+1 || !strings.HasPrefix(got[0], "p0: the model reads") || got[1] == got[0] || !strings.HasPrefix(got[maxDeclared], "10 more") {
		t.Errorf("%d differences: %q", len(got), got)
	}
	if got := DeclarationNotes(agent.Declaration{Err: schema.TooLargeError{Bytes: 7}}); len(got) != 1 || isSentence(got[0]) != nil || !strings.Contains(got[0], "has 7 bytes") {
		t.Errorf("%q", got)
	}
	err := &agent.ArgumentError{Tool: "box__x", Err: errors.New("n has to be a number")}
	if got := CallErrorText(agent.ToolReturned{Error: err.Error(), Refusal: agent.ArgumentsWrong}); !strings.HasSuffix(got, "N has to be a number.") || strings.Contains(got, "Correct the") {
		t.Errorf("wrong arguments read %q", got)
	}
}

// The sentences for refused calls address the user. The model gets other sentences.
func TestRefusalsAddressTheUser(t *testing.T) {
	for _, r := range constants[agent.Refusal](t, "../../agent/execute.go") {
		text := CallErrorText(agent.ToolReturned{Error: r.Error(), Refusal: r})
		if bad := isSentence(text); bad != nil {
			t.Errorf("%s: %q: %v", r, text, bad)
		}
		if text == r.Error() || strings.Contains(text, "The user") {
			t.Errorf("%s: %q is for the model", r, text)
		}
	}
	if got := CallErrorText(agent.ToolReturned{Error: "out of ink"}); got != "Out of ink." {
		t.Errorf("a failure of the tool reads %q", got)
	}
	if got := CallErrorText(agent.ToolReturned{}); got != "" {
		t.Errorf("a success reads %q", got)
	}
}

// The card of a failed chain showed the text for the log, such as "rate limited: RESOURCE_EXHAUSTED".
func TestFailedStepAddressesTheUser(t *testing.T) {
	f := &agent.Failure{Kind: agent.RateLimited}
	steps := []agent.ChainStep{{Tool: "store"}, {Tool: "store", Error: f.Error(), Failure: f}}
	if got, want := CallErrorText(agent.ToolReturned{Error: "step 2 of the chain: " + f.Error(), Chain: steps}), "Step 2 failed. "+ErrorText(f); got != want {
		t.Errorf("the call reads %q, want %q", got, want)
	}
	if got := ChainLines(steps); !strings.HasSuffix(got, " · "+ErrorText(f)) {
		t.Errorf("the steps read %q", got)
	}
	if got := CallErrorText(agent.ToolReturned{Error: agent.CallCancelled.Error(), Refusal: agent.CallCancelled, Chain: steps}); strings.Contains(got, "Step") {
		t.Errorf("a cancelled chain reads %q", got)
	}
}

// The advice names the right service: Google, or the one that the user chose.
func TestAdviceNamesTheService(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_API_KEY", "")
	for kind, words := range map[agent.FailureKind][2]string{
		agent.KeyRefused:  {"Google AI Studio", "the key of localhost:11434"},
		agent.Unreachable: {"internet connection", "the service at localhost:11434 runs"},
		agent.NotInPlan:   {"Google AI Studio", "your key at localhost:11434"},
		agent.NotInRegion: {"Gemini sees", "localhost:11434 sees"},
	} {
		for i, service := range []string{"", "localhost:11434"} {
			if got := Advice(&agent.Failure{Kind: kind, Service: service}); !strings.Contains(got, words[i]) || strings.Contains(got, words[1-i]) {
				t.Errorf("%s of %q: %q", kind, service, got)
			}
		}
	}
}

// A key in the environment takes precedence over a stored one, so storing another one would change
// nothing.
func TestAdviceNamesTheVariableOfARefusedKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_API_KEY", "AIza")
	if got := Advice(&agent.Failure{Kind: agent.KeyRefused}); !strings.Contains(got, "GOOGLE_API_KEY") || strings.Contains(got, "key set") {
		t.Error(got)
	}
}

// A sentence does not repeat the status, and ends with a period if no message follows.
func TestReasonsOfFailures(t *testing.T) {
	for _, test := range []struct{ status, message, want string }{
		{"", "", "It failed."},
		{"UNAVAILABLE", "", "It failed (UNAVAILABLE)."},
		{"UNAVAILABLE", "Unavailable", "It failed (UNAVAILABLE)."},
		{"UNAVAILABLE", "overloaded", "It failed (UNAVAILABLE): overloaded."},
		{"", "overloaded", "It failed: overloaded."},
	} {
		if got := withServiceMessage("It failed", &agent.Failure{Status: test.status, Message: test.message}); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// The advice for a place that a service does not serve asks for billing only if the service does.
func TestAdviceForAPlaceThatIsNotServed(t *testing.T) {
	for message, words := range map[string]string{
		"User location is not supported for the API use.":                                      "a VPN or a proxy, Gemini sees its place",
		"User location is not supported for the API use without a billing account linked.":     "Enable billing",
		"Gemini API free tier is not available in your country. Please enable billing on your": "Enable billing",
	} {
		f := &agent.Failure{Kind: agent.NotInRegion, Status: "FAILED_PRECONDITION", Message: message}
		got := Advice(f)
		if !strings.Contains(got, words) || strings.Contains(got, "VPN") == strings.Contains(got, "billing") || strings.Contains(got, "billing") != strings.Contains(ErrorText(f), "only with billing") || !strings.Contains(got, "another service in Settings > Model and key") || OtherModel(f) == "" {
			t.Errorf("%q: %q", message, got)
		}
	}
}

// For another service, the sentence does not mention Google's reset at midnight Pacific time.
func TestQuotaOfOtherServices(t *testing.T) {
	for _, kind := range []agent.FailureKind{agent.QuotaUsed, agent.NoCredit} {
		for _, after := range []time.Duration{0, 3 * time.Hour, 40 * time.Hour} {
			f := &agent.Failure{Kind: kind, Service: "openrouter.ai", RetryAfter: after}
			text := ErrorText(f) + " " + Advice(f)
			if google := googleQuotaReset(time.Now()); after == 0 && (strings.Contains(text, google) || strings.Contains(text, "return")) {
				t.Errorf("%s: %q", kind, text)
			}
			if after > 0 && kind == agent.QuotaUsed && !strings.Contains(text, "They return") {
				t.Errorf("%s after %v: %q", kind, after, text)
			}
			if strings.Contains(text, "Gemini") || !strings.Contains(text, "openrouter.ai") {
				t.Errorf("%s: %q", kind, text)
			}
		}
	}
	if text := Advice(&agent.Failure{Kind: agent.QuotaUsed}); !strings.Contains(text, googleQuotaReset(time.Now())) {
		t.Errorf("Gemini's quota: %q", text)
	}
}
