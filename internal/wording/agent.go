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
	case agent.NotInRegion:
		if asksForBilling(f) {
			return withServiceMessage(serviceName(f)+" serves the place that you connect from only with billing", f)
		}
		return withServiceMessage(serviceName(f)+" does not serve the place that you connect from", f)
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
		if overSpendingLimit(f) {
			return withServiceMessage("You reached your spending limit at "+serviceName(f), f)
		}
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
	case agent.NotInRegion:
		return regionAdvice(f) + kept
	case agent.Silent:
		return "Try again, or choose another model. You can change the time limit in the settings. " + kept
	case agent.AnswerEmpty, agent.OnlyThoughts:
		return "Try again, or ask in other words. " + kept
	case agent.ContextFull:
		return "Shorten your message, turn off tools that you don't need, or choose a model with a larger context. A program on your computer may have a setting for it. " + kept
	case agent.NoCredit:
		return creditAdvice(f) + kept
	case agent.Moderated:
		return "Ask in other words, choose another model, or start a new conversation. " + kept
	case agent.NoTools:
		return "Choose a model that can use tools. " + kept
	case agent.CallBroken, agent.CallsTooMany:
		return "Try again, or ask for one thing at a time. No tool of that answer ran."
	}
	return ""
}

// asksForBilling reports whether the service answers in the user's place if their key has billing.
func asksForBilling(f *agent.Failure) bool {
	return strings.Contains(strings.ToLower(f.Message), "billing")
}

// regionAdvice returns what the user can do if a service does not serve their place.
func regionAdvice(f *agent.Failure) string {
	if asksForBilling(f) {
		return "Enable billing for the project of your key in Google AI Studio, or use another service in Settings > Model and key. "
	}
	return "Use another service in Settings > Model and key. If you use a VPN or a proxy, " + serviceName(f) + " sees its place: end it, or choose another one, and try again. "
}

// overSpendingLimit reports whether the user's own limit, rather than a lack of credit, ended the requests.
func overSpendingLimit(f *agent.Failure) bool {
	said := strings.ToLower(f.Message + " " + f.Status)
	return strings.Contains(said, "spending cap") || strings.Contains(said, "spend_limit") || strings.Contains(said, "spend limit")
}

// creditAdvice returns what the user can do if their account has no credit, or reached its limit. All of
// Gemini's models use the same credit.
func creditAdvice(f *agent.Failure) string {
	where, other := "at "+serviceName(f), "choose another model. "
	if f.Service == "" {
		where, other = "in Google AI Studio", "choose a model of another service. "
	}
	if overSpendingLimit(f) {
		return "Raise the limit " + where + ", or " + other
	}
	return "Add credit " + where + ", or " + other
}

// OtherModel returns the label of a button for another model, or "" if another model would not help
// after the failure.
func OtherModel(err error) string {
	var f *agent.Failure
	if errors.As(err, &f) && slices.Contains([]agent.FailureKind{
		agent.KeyMissing, agent.KeyRefused, agent.RateLimited, agent.QuotaUsed, agent.ModelUnknown, agent.Unavailable, agent.Unreachable, agent.NotInPlan, agent.NotInRegion, agent.Silent, agent.NoTools, agent.NoCredit, agent.Moderated, agent.ContextFull,
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
