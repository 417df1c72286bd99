package intent

import (
	"regexp"
	"strings"
)

// Forms of requests that need no tool.
var (
	greeting = regexp.MustCompile(`(?i)^(?:hi|hello|hey|hallo|hola|moin|yo|good (?:morning|afternoon|evening|day))(?: there| goated| again| everyone)?$`)
	thanking = regexp.MustCompile(`(?i)^(?:ok(?:ay)?,? )?(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|well done|good job)\b[^?]{0,40}$`)
	helping  = regexp.MustCompile(`(?i)^(?:help(?: me)?|\?|what can (?:you|i) do(?: here)?|what (?:tools|commands) (?:are there|do you have|can i use)|how do(?:es)? (?:this|it|i) (?:work|start|use (?:this|it|you))|who are you|what are you|what is this|how does this work|what do you do|show (?:me )?(?:the|your|all)? ?tools|list (?:the |your |all )?tools)$`)
	parting  = regexp.MustCompile(`(?i)^(?:bye|goodbye|good night|see you|ciao)\b[^?]{0,20}$`)
	keying   = regexp.MustCompile(`(?i)\b(?:get|need|add|set|where|find|enter)\b.*\b(?:gemini |api ?)key\b|^how do i get a key$`)
)

// Reply answers a greeting, thanks and questions about goated itself; "" for any other
// request. suggest says what to try, able what the tools can do.
func Reply(request string, suggest, able func() string) string {
	said := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(request), ".!? "))
	if said == "" {
		said = "?"
	}
	switch {
	case keying.MatchString(said):
		return "A Gemini key is free at https://aistudio.google.com/apikey. Paste it in Settings, or run `goated key set`."
	case greeting.MatchString(said):
		return "Hello! " + suggest()
	case thanking.MatchString(said):
		return "You're welcome."
	case parting.MatchString(said):
		return "Goodbye."
	case helping.MatchString(said):
		return able()
	}
	return ""
}
