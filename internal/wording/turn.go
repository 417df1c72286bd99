package wording

import (
	"errors"
	"fmt"
	"strings"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/modelname"
)

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
	if n := len(e.Chain); n > 0 && e.Error != "" && e.Chain[n-1].Failure != nil {
		return fmt.Sprintf("Step %d failed. %s", n, ErrorText(e.Chain[n-1].Failure))
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
	case agent.AnswerCut:
		return "The answer broke off."
	}
	return "goated can't reach the model."
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

// UnsavedPermissionText returns a sentence that goated could not save a permission, with the reason.
func UnsavedPermissionText(err error) string {
	return "goated could not save this permission (" + strings.TrimSuffix(errtext.Plain(err), ".") + "). It lasts until goated quits."
}

// UnsavedPermission returns an error with [UnsavedPermissionText], or nil if err is nil.
func UnsavedPermission(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(UnsavedPermissionText(err))
}

// withProviderMessage adds the provider's message to a sentence.
func withProviderMessage(sentence, words string) string {
	if words = asSentence(words); words != "" {
		return sentence + " " + words
	}
	return sentence
}
