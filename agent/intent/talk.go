package intent

import (
	"strings"

	"goated/internal/lazyregexp"
)

// These patterns match messages that need no tool.
var (
	greeting = lazyregexp.New(`(?i)^(?:hi|hello|hey|hallo|hola|moin|yo|good (?:morning|afternoon|evening|day))(?: there| goated| again| everyone)?(?:[,.! ]+how are you(?: today| doing)?)?$|^(?:how are you(?: today| doing)?|how(?:['’]s| is) it going|are you (?:there|awake|ready)|what(?:['’]s| is) up)$`)
	thanking = lazyregexp.New(`(?i)^(?:ok(?:ay)?,? )?(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|well done|good job)(?:[,.! ]+(?:that|this|it|you|goated|very|really|a lot|so|again|for|man|mate|all|everyone|work|job|thanks|thank you|bye)\b[^?]{0,40})?$`)
	helping  = lazyregexp.New(`(?i)^(?:help(?: me)?|\?|what can (?:you|i) do(?: here| for me)?|what are you able to do|how can you help(?: me)?|what (?:tools|commands) (?:are there|do you have|can i use)|how do(?:es)? (?:this|it|i) (?:work|start|use (?:this|it|you))|who are you|what are you|what is this|how does this work|what do you do|show (?:me )?(?:the|your|all)? ?tools|list (?:the |your |all )?tools)$`)
	parting  = lazyregexp.New(`(?i)^(?:bye|goodbye|good night|see you|ciao)\b[^?]{0,20}$`)
	keying   = lazyregexp.New(`(?i)\b(?:get|need|add|set|where|find|enter)\b.*\b(?:gemini |api ?)key\b|^how do i get a key$`)
)

// SmallTalk answers greetings, thanks and questions about goated itself. It returns "" for any other
// request. suggest returns a suggestion, and able returns a description of what the tools can do.
func SmallTalk(request string, suggest, able func() string) string {
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
	if m := smallTalk.FindString(said); m != "" && len(m) < len(said) {
		return SmallTalk(said[len(m):], suggest, able)
	}
	return ""
}
