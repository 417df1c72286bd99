package wording

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/modelkey"
	"goated/internal/modelname"
)

// ErrorText returns the sentence for the kind of an error, or its text as a sentence.
func ErrorText(err error) string {
	var f *agent.Failure
	if !errors.As(err, &f) {
		return asSentence(errtext.Plain(err))
	}
	switch f.Kind {
	case agent.KeyMissing:
		return "There is no Gemini API key."
	case agent.KeyRefused:
		return withServiceMessage(serviceName(f)+" refused your API key", f)
	case agent.RateLimited:
		return withServiceMessage("You reached the rate limit of your "+serviceName(f)+" API key", f)
	case agent.QuotaUsed:
		return withServiceMessage("Today's requests of your "+serviceName(f)+" key are used up", f)
	case agent.ModelUnknown:
		return withServiceMessage(fmt.Sprintf("%s has no model %q for your API key", serviceName(f), f.Model), f)
	case agent.Unavailable:
		return withServiceMessage(serviceName(f)+" is not available at the moment", f)
	case agent.RequestBad:
		return withServiceMessage(serviceName(f)+" refused the request", f)
	case agent.Unreachable:
		return withServiceMessage("goated can't reach "+serviceName(f), f)
	case agent.AnswerCut:
		return withServiceMessage("The answer broke off before it was complete", f)
	case agent.NotInPlan:
		return withServiceMessage(fmt.Sprintf("The plan of your API key does not include the model %q", f.Model), f)
	case agent.Silent:
		return withServiceMessage("The model sent nothing for "+durationText(f.Idle), f)
	case agent.AnswerEmpty:
		return withServiceMessage("The model sent an empty answer", f)
	case agent.OnlyThoughts:
		return withServiceMessage("The model thought about it, but gave no answer", f)
	case agent.CallBroken:
		return withServiceMessage("The model made a tool call that goated can't read", f)
	case agent.CallsTooMany:
		return withServiceMessage("The model called too many tools at once", f)
	case agent.ContextFull:
		if f.Window > 0 {
			return withServiceMessage(fmt.Sprintf("The conversation is larger than the context of the model, which has %s tokens", modelname.Tokens(f.Window)), f)
		}
		return withServiceMessage("The conversation is larger than the context of the model", f)
	case agent.NoCredit:
		return withServiceMessage("Your credit at "+serviceName(f)+" is used up", f)
	case agent.Moderated:
		return withServiceMessage(serviceName(f)+" does not accept the content of the conversation", f)
	case agent.NoTools:
		return withServiceMessage(fmt.Sprintf("The model %q can't use tools", f.Model), f)
	}
	return asSentence(errtext.Plain(err))
}

// serviceName returns the name of the service of a failure.
func serviceName(f *agent.Failure) string { return cmp.Or(f.Service, "Gemini") }

// withServiceMessage adds the service's code and message to a sentence.
func withServiceMessage(sentence string, f *agent.Failure) string {
	if f.Status != "" {
		sentence += " (" + f.Status + ")"
	}
	page := strings.HasPrefix(strings.TrimSpace(f.Message), "<") // a web page that a proxy sent instead of the service
	if f.Message == "" || page || strings.EqualFold(f.Message, f.Status) {
		return sentence + "."
	}
	return asSentence(sentence + ": " + f.Message)
}

// modelAdvice returns what the user can do about a failure of the model, or "" for other errors.
func modelAdvice(err error) string {
	const kept = "Nothing you wrote is lost."
	var f *agent.Failure
	if !errors.As(err, &f) {
		return ""
	}
	switch f.Kind {
	case agent.KeyMissing:
		return "Set a key in the settings, with \"goated key set\", or in GEMINI_API_KEY."
	case agent.KeyRefused:
		if f.Service != "" {
			return "Check the key of " + f.Service + ", and set it again in Settings > Model and key."
		}
		if _, variable := modelkey.EnvironmentKey(); variable != "" {
			return "goated has the key from the variable " + variable + ". Check in Google AI Studio that it exists and may use the Gemini API. Then change the variable, and start goated again."
		}
		return "Check in Google AI Studio that the key exists and may use the Gemini API. Then set it again in the settings or with \"goated key set\"."
	case agent.RateLimited:
		if f.RetryAfter > 0 {
			return "Try again in " + durationText(f.RetryAfter) + ". " + kept
		}
		return "Wait a minute and try again. " + kept
	case agent.QuotaUsed:
		if f.Service != "" {
			return strings.TrimSpace(quotaResetAt(f.RetryAfter, time.Now()) + " Choose another model or use another key. " + kept)
		}
		return "They return " + googleQuotaReset(time.Now()) + ". Until then, choose another model or use another key. " + kept
	case agent.ModelUnknown:
		return "Choose another model. \"goated models\" lists the models of your key."
	case agent.Unavailable:
		return "Try again in a minute, or choose another model. " + kept
	case agent.RequestBad:
		return "Try again. If " + serviceName(f) + " refuses it again, start a new conversation. If its answer names a tool, disconnect the server of that tool."
	case agent.Unreachable:
		if f.Service != "" {
			return "Check that the service at " + f.Service + " runs, and try again. " + kept
		}
		return "Check your internet connection and your proxy settings, and try again. " + kept
	case agent.AnswerCut:
		return "Try again. No tool of the incomplete answer ran."
	case agent.NotInPlan:
		if f.Service != "" {
			return "Choose another model, or change the plan of your key at " + f.Service + "."
		}
		return "Choose another model, or change the plan of your key in Google AI Studio."
	case agent.Silent:
		return "Try again, or choose another model. You can change the time limit in the settings. " + kept
	case agent.AnswerEmpty, agent.OnlyThoughts:
		return "Try again, or ask in other words. " + kept
	case agent.ContextFull:
		return "Shorten your message, turn off tools that you don't need, or choose a model with a larger context. A program on your computer may have a setting for it. " + kept
	case agent.NoCredit:
		return "Add credit to your account at " + serviceName(f) + ", or choose another model. " + kept
	case agent.Moderated:
		return "Ask in other words, choose another model, or start a new conversation. " + kept
	case agent.NoTools:
		return "Choose a model that can use tools. " + kept
	case agent.CallBroken, agent.CallsTooMany:
		return "Try again, or ask for one thing at a time. No tool of that answer ran."
	}
	return ""
}

// TurnEndText returns a sentence about why a turn ended, or "" if it ended successfully.
func TurnEndText(e agent.TurnEnded) string {
	switch e.Cause {
	case agent.EmptyAnswer:
		return "The model sent an empty answer. Try again, or ask in other words."
	case agent.PromptBlocked:
		return withProviderMessage("The provider of the model blocked your message: "+codeWords(e.Code)+". Ask in other words, or start a new conversation.", e.Detail)
	case agent.AnswerWithheld:
		return withProviderMessage("The provider of the model withheld the answer: "+codeWords(e.Code)+". Ask in other words.", e.Detail)
	case agent.CallUnreadable:
		return withProviderMessage("The model made a tool call that goated can't read. Try again.", e.Detail)
	case agent.SummaryLong:
		return "The summary is no shorter than the earlier messages, so goated does not use it. The model gets the messages as before."
	}
	switch e.Reason {
	case agent.Done:
		return asSentence(e.Detail)
	case agent.StepLimit:
		steps := fmt.Sprintf("%d steps", e.Steps)
		if e.Steps == 1 {
			steps = "1 step"
		}
		return withProviderMessage("Stopped after "+steps+". The model wanted to go on: send a message to let it.", e.Detail)
	case agent.Truncated:
		return "The answer is cut off: the model reached its output limit. Ask it to continue."
	case agent.Blocked:
		return withProviderMessage("The provider of the model withheld the answer.", e.Detail)
	case agent.Cancelled:
		return withProviderMessage("You stopped this turn.", e.Detail)
	case agent.Quit:
		return "goated quit before this turn ended."
	case agent.NoSummary:
		return "No summary is used. The model gets the earlier messages as before."
	}
	return withProviderMessage("The turn ended: "+string(e.Reason)+".", e.Detail)
}

// NothingToSummarise returns a sentence about why a summary, or undoing one, changed nothing.
// inForce means that there already is a summary.
func NothingToSummarise(undo, inForce bool) string {
	switch {
	case undo:
		return "No earlier messages are summarised."
	case inForce:
		return "There is nothing new to summarise."
	}
	return "There is nothing to summarise yet."
}

// codeWords explains a code of the Gemini API (BlockedReason or FinishReason).
func codeWords(code string) string {
	switch code {
	case "SAFETY", "IMAGE_SAFETY":
		return "it may be unsafe"
	case "PROHIBITED_CONTENT", "IMAGE_PROHIBITED_CONTENT":
		return "it may contain prohibited content"
	case "BLOCKLIST":
		return "it contains a term from a blocklist"
	case "RECITATION", "IMAGE_RECITATION":
		return "it may repeat a copyrighted text"
	case "LANGUAGE":
		return "its language is not supported"
	case "SPII":
		return "it may contain sensitive personal information"
	case "TOO_MANY_TOOL_CALLS":
		return "it calls too many tools in a row"
	case "MISSING_THOUGHT_SIGNATURE":
		return "a thought signature is missing"
	case "", "OTHER", "BLOCKED_REASON_UNSPECIFIED":
		return "no reason given"
	}
	return strings.ToLower(strings.ReplaceAll(code, "_", " "))
}

// CallErrorText returns a sentence about why a tool call failed, or "" if it did not.
func CallErrorText(e agent.ToolReturned) string {
	switch e.Refusal {
	case agent.CallDenied:
		return "You did not allow this call."
	case agent.NoApprover:
		return "This call needs your approval, and goated can't ask you here."
	case agent.CallCancelled:
		return "You stopped this call."
	case agent.CallQuit:
		if e.Duration == 0 {
			return "This call did not run, because goated quit."
		}
		return "goated quit while this call ran."
	case agent.ArgumentsWrong:
		return withProviderMessage("The model gave this tool arguments that it does not accept, so the call did not run. The model can correct them.", argumentError(e.Error))
	}
	return asSentence(e.Error)
}

// argumentError extracts the checker's message from the text that the model gets.
func argumentError(text string) string {
	_, words, _ := strings.Cut(text, "schema: ")
	words, _, _ = strings.Cut(words, ". Correct the arguments")
	return words
}

// EventText returns the sentence for an event that informs the user about the model's requests, or ""
// for other events.
func EventText(e agent.Event) string {
	switch e := e.(type) {
	case agent.AnswerDiscarded:
		return answerDiscardedText(e)
	case agent.ContextTrimmed:
		return ContextTrimmedText(e)
	case agent.MediaRemoved:
		return MediaRemovedText(e)
	case agent.ToolQuarantined:
		return ToolQuarantinedText(e)
	case agent.ContextCompacted:
		return fmt.Sprintf("The model gets a summary instead of the %d messages before, which frees about %s. You keep every message.", e.Contents, modelname.Tokens(max(e.Before-e.After, 1))+" tokens")
	case agent.ContextRestored:
		return "The model gets the earlier messages again, instead of their summary."
	case agent.ModelSwitched:
		return modelname.Title(config.ModelRef{Name: e.Model}) + " answers from here on."
	case agent.ServersMissing:
		return serversMissingText(e)
	}
	return ""
}

// RetryText returns a sentence about why and when a request is repeated.
func RetryText(e agent.RetryScheduled) string {
	return WaitReason(e) + " goated tries again in " + durationText(e.Left) + "."
}

// WaitReason returns a sentence about why a request is repeated.
func WaitReason(e agent.RetryScheduled) string {
	switch e.Kind {
	case agent.RateLimited:
		return "You reached the rate limit of your API key."
	case agent.Unavailable:
		return "The model is not available at the moment."
	}
	return "goated can't reach the model."
}

// OtherModel returns the label of a button for another model, or "" if another model would not help
// after the failure.
func OtherModel(err error) string {
	var f *agent.Failure
	if errors.As(err, &f) && slices.Contains([]agent.FailureKind{
		agent.KeyMissing, agent.KeyRefused, agent.RateLimited, agent.QuotaUsed, agent.ModelUnknown, agent.Unavailable, agent.Unreachable, agent.NotInPlan, agent.Silent, agent.NoTools, agent.NoCredit, agent.Moderated, agent.ContextFull,
	}, f.Kind) {
		return "Use another model"
	}
	return ""
}

// KeyAction returns the label of a button that shows the key, or "" if a key would not help after
// the failure.
func KeyAction(err error) string {
	var f *agent.Failure
	switch {
	case !errors.As(err, &f):
	case f.Kind == agent.KeyMissing:
		return "Add a key"
	case f.Kind == agent.KeyRefused:
		return "Check the key"
	}
	return ""
}

// googleQuotaReset returns when Google's daily quota is reset: at midnight Pacific time
// (ai.google.dev/gemini-api/docs/rate-limits).
func googleQuotaReset(now time.Time) string {
	pacific, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		return "at midnight Pacific time"
	}
	there := now.In(pacific)
	return "at " + time.Date(there.Year(), there.Month(), there.Day()+1, 0, 0, 0, 0, pacific).In(now.Location()).Format("15:04")
}

// quotaResetAt returns when the quota of a service is reset, or "" if the service gives no time.
func quotaResetAt(after time.Duration, now time.Time) string {
	if after <= 0 {
		return ""
	}
	at := now.Add(after)
	if after < 24*time.Hour {
		return "They return at " + at.Format("15:04") + "."
	}
	return "They return on " + at.Format("2 January at 15:04") + "."
}

// answerDiscardedText returns a sentence that goated asked the model again, with the reason.
func answerDiscardedText(e agent.AnswerDiscarded) string {
	return strings.TrimSuffix(ErrorText(&agent.Failure{Kind: e.Kind}), ".") + ". goated asked again."
}

// ContextTrimmedText returns a sentence that the model gets less old data.
func ContextTrimmedText(e agent.ContextTrimmed) string {
	what := "old results of tools"
	switch {
	case e.Results == 0:
		what = "old images and files"
	case e.Media > 0:
		what = "old results of tools, images and files"
	}
	return "The conversation is long, so goated shortened " + what + " for the model. You still see all of them."
}

// MediaRemovedText returns a sentence that goated left out images or files.
func MediaRemovedText(e agent.MediaRemoved) string {
	return fmt.Sprintf("The model can't read a file (%s), so goated left it out and went on: %s", strings.Join(e.Types, ", "), asSentence(e.Reason))
}

// withProviderMessage adds the provider's message to a sentence.
func withProviderMessage(sentence, words string) string {
	if words = asSentence(words); words != "" {
		return sentence + " " + words
	}
	return sentence
}

// asSentence turns the text of an error into a sentence, because errors begin with a lower-case letter
// and have no period.
func asSentence(text string) string {
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	word, _, _ := strings.Cut(text, " ")
	if unicode.IsLower(first) && !strings.HasPrefix(word, "goated") && !strings.ContainsAny(word, "./\\_:(") {
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' {
		text += "."
	}
	return text
}

// durationText returns a duration in words, rounded up to seconds.
func durationText(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	switch {
	case seconds == 1:
		return "1 second"
	case seconds < 120:
		return fmt.Sprintf("%d seconds", seconds)
	}
	return fmt.Sprintf("%d minutes", (seconds+59)/60)
}
