package wording

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"goated/agent"
)

// Error returns the sentence of an error: that of its kind, or its text.
func Error(err error) string {
	var f *agent.Failure
	if !errors.As(err, &f) {
		return finish(err.Error())
	}
	switch f.Kind {
	case agent.KeyMissing:
		return "There is no Gemini API key."
	case agent.KeyRefused:
		return because("Gemini refused your API key", f)
	case agent.RateLimited:
		return because("You reached the rate limit of your Gemini API key", f)
	case agent.QuotaUsed:
		return because("You used up the daily quota of your Gemini API key", f)
	case agent.ModelUnknown:
		return because(fmt.Sprintf("Gemini has no model %q for your API key", f.Model), f)
	case agent.Unavailable:
		return because("Gemini is not available at the moment", f)
	case agent.RequestBad:
		return because("Gemini refused the request", f)
	case agent.Unreachable:
		return because("goated can't reach Gemini", f)
	case agent.AnswerCut:
		return because("The connection to Gemini broke before the answer was complete", f)
	}
	return finish(err.Error())
}

// because adds the words of the service to a sentence.
func because(sentence string, f *agent.Failure) string {
	if f.Status != "" {
		sentence += " (" + f.Status + ")"
	}
	if f.Message == "" {
		return sentence + "."
	}
	return finish(sentence + ": " + f.Message)
}

// modelAdvice returns what the user can do about a failure of the model; empty for
// other errors.
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
		return "Check in Google AI Studio that the key exists and may use the Gemini API. Then set it again in the settings or with \"goated key set\"."
	case agent.RateLimited:
		if f.RetryAfter > 0 {
			return "Try again in " + wait(f.RetryAfter) + ". " + kept
		}
		return "Wait a minute and try again. " + kept
	case agent.QuotaUsed:
		return "The quota resets at midnight Pacific time. Until then, choose another model or use another key."
	case agent.ModelUnknown:
		return "Choose another model in the settings. \"goated models\" lists the models of your key."
	case agent.Unavailable:
		return "Try again in a minute, or choose another model. " + kept
	case agent.RequestBad:
		return "Try again. If Gemini refuses it again, start a new conversation. If its answer names a tool, disconnect the server of that tool."
	case agent.Unreachable:
		return "Check your internet connection and your proxy settings, and try again. " + kept
	case agent.AnswerCut:
		return "Try again. " + kept
	}
	return ""
}

// TurnEnd says why a turn ended; empty for a turn that ended well.
func TurnEnd(e agent.TurnEnded) string {
	switch e.Cause {
	case agent.AnswerEmpty:
		return "The model sent an empty answer. Try again, or ask in other words."
	case agent.PromptBlocked:
		return join("The provider of the model blocked your message: "+codeWords(e.Code)+". Ask in other words, or start a new conversation.", e.Detail)
	case agent.AnswerWithheld:
		return join("The provider of the model withheld the answer: "+codeWords(e.Code)+". Ask in other words.", e.Detail)
	case agent.CallUnreadable:
		return join("The model made a tool call that goated can't read. Try again.", e.Detail)
	}
	switch e.Reason {
	case agent.Done:
		return finish(e.Detail)
	case agent.StepLimit:
		steps := fmt.Sprintf("%d steps", e.Steps)
		if e.Steps == 1 {
			steps = "1 step"
		}
		return join("Stopped after "+steps+". The model wanted to go on: send a message to let it.", e.Detail)
	case agent.Truncated:
		return "The answer is cut off: the model reached its output limit. Ask it to continue."
	case agent.Blocked:
		return join("The provider of the model withheld the answer.", e.Detail)
	case agent.Cancelled:
		return join("You stopped this turn.", e.Detail)
	}
	return join("The turn ended: "+string(e.Reason)+".", e.Detail)
}

// codeWords explains a code of the Gemini API (BlockedReason, FinishReason).
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

// Call says why a tool call failed; empty for a call that did not.
func Call(e agent.ToolReturned) string {
	switch e.Refusal {
	case agent.CallDenied:
		return "You did not allow this call."
	case agent.NoApprover:
		return "This call needs your approval, and goated can't ask you here."
	case agent.CallCancelled:
		return "You stopped this call."
	}
	return finish(e.Error)
}

// join adds the words of the provider to a sentence.
func join(sentence, words string) string {
	if words = finish(words); words != "" {
		return sentence + " " + words
	}
	return sentence
}

// finish makes a sentence of an error's text: errors begin with a small letter and
// have no period.
func finish(text string) string {
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	word, _, _ := strings.Cut(text, " ")
	if unicode.IsLower(first) && word != "goated" && !strings.ContainsAny(word, "./\\_:(") {
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' {
		text += "."
	}
	return text
}

// wait returns a duration in words, rounded up to seconds.
func wait(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	switch {
	case seconds == 1:
		return "1 second"
	case seconds < 120:
		return fmt.Sprintf("%d seconds", seconds)
	}
	return fmt.Sprintf("%d minutes", (seconds+59)/60)
}
