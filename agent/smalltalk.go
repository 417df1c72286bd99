package agent

import (
	"fmt"
	"regexp"
	"strings"
)

// Forms of requests that goated answers itself.
var (
	greeting = regexp.MustCompile(`(?i)^(?:hi|hello|hey|hallo|hola|moin|yo|good (?:morning|afternoon|evening|day))(?: there| goated| again| everyone)?$`)
	thanking = regexp.MustCompile(`(?i)^(?:ok(?:ay)?,? )?(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|well done|good job)\b[^?]{0,40}$`)
	helping  = regexp.MustCompile(`(?i)^(?:help(?: me)?|\?|what can (?:you|i) do(?: here)?|what (?:tools|commands) (?:are there|do you have|can i use)|how do(?:es)? (?:this|it|i) (?:work|start|use (?:this|it|you))|who are you|what are you|what is this|how does this work|what do you do|show (?:me )?(?:the|your|all)? ?tools|list (?:the |your |all )?tools)$`)
	parting  = regexp.MustCompile(`(?i)^(?:bye|goodbye|good night|see you|ciao)\b[^?]{0,20}$`)
	keying   = regexp.MustCompile(`(?i)\b(?:get|need|add|set|where|find|enter)\b.*\b(?:gemini |api ?)key\b|^how do i get a key$`)
)

// smallTalk answers a greeting, thanks and questions about goated itself; "" for others.
func smallTalk(request string, all []*offer) string {
	said := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(request), ".!? "))
	if said == "" {
		said = "?"
	}
	switch {
	case keying.MatchString(said):
		return "A Gemini key is free at https://aistudio.google.com/apikey. Paste it in Settings, or run `goated key set`."
	case greeting.MatchString(said):
		return "Hello! " + suggest(all)
	case thanking.MatchString(said):
		return "You're welcome."
	case parting.MatchString(said):
		return "Goodbye."
	case helping.MatchString(said):
		return able(all)
	}
	return ""
}

// maxAble bounds the tools of one server in an answer.
const maxAble = 8

// able says what the connected tools do, by server.
func able(all []*offer) string {
	var b strings.Builder
	b.WriteString("These tools are connected:\n")
	count := make(map[string]int)
	for _, f := range all {
		count[f.Server]++
	}
	shown := make(map[string]int)
	for _, f := range all {
		shown[f.Server]++
		switch n := shown[f.Server]; {
		case n == 1:
			fmt.Fprintf(&b, "\n**%s**\n- %s\n", f.Server, f.deed())
		case n <= maxAble:
			fmt.Fprintf(&b, "- %s\n", f.deed())
		case n == maxAble+1:
			fmt.Fprintf(&b, "- and %d more\n", count[f.Server]-maxAble)
		}
	}
	b.WriteString("\nWithout a model I find the tool in your words. With a Gemini key you can ask for anything.")
	return b.String()
}

// deed is what a tool does, in a few words.
func (f *offer) deed() string {
	if f.Title != "" {
		return f.Title
	}
	said, _, _ := strings.Cut(strings.TrimSpace(f.Description), "\n")
	if at := strings.IndexAny(said, ".:;"); at > 0 {
		said = said[:at]
	}
	if r := []rune(said); len(r) > 80 {
		said = string(r[:80]) + "…"
	}
	if said == "" {
		return f.Own
	}
	return said
}

// suggest names some things to ask for.
func suggest(all []*offer) string {
	var some []string
	seen := make(map[string]int)
	for _, f := range all {
		if seen[f.Server]++; seen[f.Server] <= 2 && len(some) < 4 {
			some = append(some, strings.ToLower(f.deed()[:1])+f.deed()[1:])
		}
	}
	return "I can, for example: " + strings.Join(some, "; ") + ". Ask \"what can you do?\" for all tools."
}
