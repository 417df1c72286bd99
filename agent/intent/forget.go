package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// These patterns match orders to forget a fact. The first group that matches is the topic. A verb
// such as "delete" needs a word that refers to the memory, because other tools delete things, too.
var forgetting = []*lazyregexp.Regexp{
	lazyregexp.New(`(?is)^(?:forget|delete|remove|erase|clear|drop|wipe)\s+(?:about\s+)?(?:all|everything|anything|whatever|what|the (?:thing|things|stuff))\s+(?:that\s+)?(?:i|you)(?:['’]ve| have| had)?\s+(?:ever |just |once )?(?:said|told you|tell you|asked you to remember|know|remember(?:ed)?|saved|stored|noted|wrote(?: down)?|learned|learnt)\s+(?:to you\s+)?(?:about|of|on|for|regarding|concerning|under)\s+(.+)$`),
	lazyregexp.New(`(?is)^(?:forget|delete|remove|erase|clear|drop|wipe)\s+(?:everything|anything|all)\s+(?:about|on|regarding|concerning)\s+(.+)$`),
	lazyregexp.New(`(?is)^(?:forget|delete|remove|erase|clear|drop|wipe)\s+(?:the|your|that|my|this)\s+(?:stored |saved )?(?:fact|memory|memories|note|entry|reminder|info(?:rmation)?|detail|details)\s+(?:that you have |you have |you saved |saved |stored )?(?:about|of|on|for|regarding|concerning|under|named|called)\s+(.+)$`),
	lazyregexp.New(`(?is)^(?:forget|delete|remove|erase|clear|drop|wipe)\s+(?:the|your|that|my|this)\s+(?:stored |saved )?(?:fact|memory|key)\s+(.+)$`),
	lazyregexp.New(`(?is)^(?:delete|remove|erase|clear|drop|wipe|take|get)\s+(.+?)\s+(?:from|out of|in)\s+(?:your|the|my|ghost['’]s)\s+(?:memory|memories|remembered facts|facts|brain|head)$`),
	lazyregexp.New(`(?is)^stop remembering\s+(.+?)(?:\s+(?:now|any ?more))?$`),
	lazyregexp.New(`(?is)^forget\s+(?:about\s+)?(?:the (?:fact|thing) )?(.+)$`),
}

// noTopic matches the object of "forget it" and "forget everything", which is not the topic of a
// fact.
var noTopic = lazyregexp.New(`(?i)^(?:it|it all|that|this|them|him|her|us|me|about it|about that|everything|all|all of it|anything|nothing|what i (?:just )?said|the (?:last|previous) (?:one|message|thing|question)|i (?:asked|said|mentioned)\b.*)$`)

// forgottenTopic returns the topic of the fact that the user wants goated to forget, or "".
func (f factFiller) forgottenTopic() string {
	text := strings.TrimRight(strings.TrimSpace(f.text), "?.! ")
	if f.question || otherTime.MatchString(text) {
		return ""
	}
	for _, form := range forgetting {
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		about := strings.TrimSpace(m[1])
		if noTopic.MatchString(about) || f.aboutPlace(about) {
			return ""
		}
		if rest, ok := cutFold(about, "that "); ok {
			if key, _ := fact(rest); key != "" { // "forget that my pin is 4711"
				return key
			}
		}
		return topic(about)
	}
	return ""
}

// forgets reports whether the tool removes stored facts.
func (f factFiller) forgets() bool {
	removes := func(w string) bool { return w == "forget" || slices.Contains(f.concepts(w), "delete") }
	return slices.ContainsFunc(f.name, removes) && f.remembers()
}
