package intent

import (
	"slices"
	"strings"
	"unicode"

	"goated/internal/lazyregexp"
)

// Some tools store facts. A fact has a key, which is its topic, and a value. This file finds both in
// a request to store a fact, such as "remember that my locker is 12" (key "locker", value "12"), and
// the key in a question about a fact, such as "what is my locker". Each pattern below matches one
// form of English sentence, and the first match decides. topic normalizes the keys of statements and
// questions, so that they are equal.

// These patterns match requests to store a fact. The first group is the statement. plainStatement
// has no verb such as "remember": only some statements of this form are facts; see statesFact.
var (
	storeRequest   = lazyregexp.New(`(?is)^(?:(?:(?:make|take)(?: a| me a)? note|write|jot|remember|memori[sz]e|save|store|note|keep in mind|bear in mind|learn|know|don['’]?t forget)(?: down)?|for the record|fyi)(?:\s+(?:this|the (?:fact|following)))?(?:\s*[:,]\s*|\s+that\s+|\s+)(?:that\s+)?(.+)$`)
	plainStatement = lazyregexp.New(`(?is)^((?:my|our)\s+.+?\s+(?:is|are|=)\s+.+)$`)
)

// These patterns split a statement into a key and a value. An example is in quotes for each:
// valueUnderKey "4711 under the key locker", valueAsKey "4711 as my locker code", topicIsValue "my
// locker code is 4711", iAm "I am allergic to nuts", years "43 years old", verbWithPreposition
// "parked on level 3", iDo "I usually park on level 3", negation "don't", topicThenCode "my locker
// code 4711", subjectVerbObject "my sister lives in Graz".
var (
	valueUnderKey       = lazyregexp.New(`(?is)^(?:the (?:value|text|number|word|fact)\s+)?(.+?)\s+(?:under|with|in|for|by)\s+(?:the\s+)?(?:key|name)\s+(.+)$|^(.+?)\s+under\s+(.+)$`)
	valueAsKey          = lazyregexp.New(`(?is)^(.+?)\s+as\s+(.+)$`)
	topicIsValue        = lazyregexp.New(`(?is)^(.+?)\s*(?:\b(?:is|are|was|were|equals|means)\b(?:\s+(?:called|named))?|=|:)\s*(.+)$`)
	iAm                 = lazyregexp.New(`(?is)^(?:i|we)(?:['’]m|['’]re|\s+am|\s+are|\s+was|\s+were)\s+(.+)$`)
	years               = lazyregexp.New(`(?i)^(\d{1,3})(?:\s+years?(?: old)?)?$`)
	verbWithPreposition = lazyregexp.New(`(?is)^(\pL+)\s+(?:to|in|at|from|with|on|of|for|under|near)\s+(.+)$`)
	iDo                 = lazyregexp.New(`(?is)^(?:i|we)\s+(?:always |usually |often |really |normally |currently )?(.+)$`)
	negation            = lazyregexp.New(`(?i)\b(?:not|never|no longer|\w+n['’]t|dont|cant)\b`)
	topicThenCode       = lazyregexp.New(`(?is)^((?:my|our|the)\s+\pL.*?)\s+(\S*\d\S*)$`)
	subjectVerbObject   = lazyregexp.New(`(?is)^(?:(?:my|our|the)\s+)?(.+?)\s+(\pL+s|has|have|had|will|can|must|should|lives?|\w+n['’]t)\s+(.+)$`)
)

// These patterns match questions about a fact. The first group that matches is the topic:
// askMemory "what do you know about my car", whatIsMy "what is my locker code", tellMeMy "tell me my
// locker code", whenIsSomeones "when is Anna's birthday", whichDoIHave "which car do I have", whatDoI
// "where did I park", amI "where am I registered", whatDoesMy "where does Anna live", lookUpKey "look
// up the key locker", askForAll "what do you know about me", whoIs "who is Anna", topicAlone "the
// locker code again", mentionsMy "does my passport expire soon". Two patterns exclude requests:
// forgetOrder matches an order to forget, and remark matches a sentence about remembering that
// asks for nothing.
var (
	askMemory      = lazyregexp.New(`(?is)\b(?:remember|know|recall|told you|tell you|i said|i say|stored|saved|memory of|memory)\s+(?:about|of|for|under|as)?\s*(.+)$`)
	whatIsMy       = lazyregexp.New(`(?is)^(?:what|who|when|where|which|how \pL+)(?:['’]s| is| are| was| were)\s+(?:again\s+)?((?:(?:the )?names? of )?(?:my|our)\s+.+)$`)
	tellMeMy       = lazyregexp.New(`(?is)^(?:tell|give|remind)(?: me)?(?: again)?(?: of| about)? (?:what |who |when |where |which )?((?:(?:the )?name of )?(?:my|our)\s+.+)$`)
	whenIsSomeones = lazyregexp.New(`(?is)^(?:when|who|where|what|how \pL+)(?:['’]s| is| are| was)\s+(\pL+['’]s\s+\pL.*)$`)
	whichDoIHave   = lazyregexp.New(`(?is)^(?:which|what|how many)\s+(.+?)\s+(?:do|did|have)\s+(?:i|we)\s+(?:have|had|use|own|take|pick|choose|like|prefer|got)\b`)
	whatDoI        = lazyregexp.New(`(?is)^(?:what|where|when|who|which|why|how)\s+(?:do|did|have)\s+(?:i|we)\s+(?:always |usually )?(\pL+)(?:\s+(.*))?$`)
	amI            = lazyregexp.New(`(?is)^(?:(?:what|where|who|which|how)\s+)?(?:am|are|was|were)\s+(?:i|we)\s+(.+)$|^how (old) am i\b`)
	whatDoesMy     = lazyregexp.New(`(?s)^(?i:what|where|when|who|how)\s+(?i:does|do|did)\s+((?:my|our)\s+\pL+|\p{Lu}\p{Ll}+)\s+(?:like|love|hate|prefer|live|work|need|want|have|drink|eat|study|play|drive|come|go)\b`)
	lookUpKey      = lazyregexp.New(`(?is)^(?:look ?up|search for|search|read|get|show|recall|fetch|what(?:['’]s| is))\b.*?\bkey\s+(.+)$`)
	askForAll      = lazyregexp.New(`(?is)^(?:what (?:do you|can you) (?:remember|recall|know)(?: about me| of me| so far)?|what (?:have|did) i (?:told|tell|ask|asked) you(?: (?:so far|to remember|about me))?|(?:list|show|tell)(?: me)? (?:all|everything)(?: that)? (?:you (?:remember|know)|i told you).*|do you know (?:anything|something) about me|(?:what do you )?know about me|who am i)[?.! ]*$`)
	forgetOrder    = lazyregexp.New(`(?i)^(?:forget|delete|remove|erase|clear|drop|wipe|don['’]?t|do not|never|stop)\b`)
	remark         = lazyregexp.New(`(?i)^(?:i|we|he|she|they)\s+(?:still |already |do |don['’]?t |can['’]?t )?(?:remember|recall|know|forgot|told|said)\b|^(?:do you )?(?:remember|recall) (?:when|how|why|the (?:time|day))\b|^you (?:never|always|don['’]?t|can['’]?t|should|must|will|didn['’]?t|forgot)\b|^(?:if|unless|whenever|once|as soon as)\b`)
	whoIs          = lazyregexp.New(`(?s)^(?i:who|where)(?:['’]s| is| are) (\p{Lu}\p{Ll}+)$`)
	topicAlone     = lazyregexp.New(`(?is)^(?:(?:what|who|where|when)(?:['’]s| is| was| are| were)\s+)?(?:the|that)\s+(.+?)(?: again)?$|^([\pL'’]+(?: [\pL'’]+){0,2})$`)
	mentionsMy     = lazyregexp.New(`(?is)^.*?\b(does|did|do|will|is|are)?\s*\b(?:my|our)\s+(\pL[\pL'’]*(?:\s+\pL[\pL'’]*)*)`)
)

// factNouns lists nouns for facts that people state about themselves and others.
var factNouns = set(`password passcode pin code number phone mobile email mail address name names birthday anniversary age size favourite favorite color colour username login
	dentist doctor landlord boss manager wife husband partner sister brother mother father mum mom dad son daughter friend teacher lawyer plumber neighbour neighbor cat dog pet
	car bike flat room desk seat locker job hobby allergy flight train hotel appointment meeting licence license plate account iban passport blood type router wifi diet`)

// A factFiller fills the arguments of a tool that stores facts. It finds the fact that a request
// states or asks for.
type factFiller struct{ *filling }

// fill fills the key and the value of a tool that stores facts.
func (f factFiller) fill() {
	key, value := f.nameWith(roleKey), f.nameWith(roleValue, roleText)
	action := f.nameWith(roleAction)
	if key != "" && value == "" && action == "" && f.forgets() {
		if about := f.forgottenTopic(); about != "" {
			f.args[key], f.aboutFact = about, true
		}
		return
	}
	if key == "" || value == "" && action == "" || !f.remembers() || f.matches(forgetOrder, f.text) || f.matches(remark, f.text) {
		return
	}
	if value != "" && !f.question {
		form := storeRequest
		if f.statesFact() {
			form = plainStatement
		}
		if m := f.submatch(form, f.text); m != nil && !(form == storeRequest && strings.HasSuffix(strings.TrimSpace(f.text), "?") && !f.asksAbility) {
			if k, v := fact(m[1]); k != "" && v != "" {
				f.args[key], f.args[value] = k, v
				f.act(action, "write", "set", "store", "save", "put", "add", "create", "remember")
				f.aboutFact, f.stated = true, form == plainStatement
				return
			}
		}
	}
	about := f.askedTopic()
	f.aboutFact = about != ""
	if about == "" {
		about = f.possibleTopic()
		f.guessed = about != ""
	}
	if about != "" {
		f.args[key] = about
		f.act(action, "read", "get", "recall", "fetch", "lookup", "retrieve", "load")
	}
}

// statesFact reports whether the request states a fact without an order to store it, such as
// "my locker code is 4711".
func (f factFiller) statesFact() bool {
	m := f.submatch(plainStatement, f.text)
	if m == nil {
		return false
	}
	k, v := fact(m[1])
	return slices.ContainsFunc(Words(k), func(w string) bool { return factNouns[w] || factNouns[strings.TrimSuffix(w, "s")] }) && len(Words(v)) > 0 && !descriptionStarts[Words(v)[0]]
}

// descriptionStarts lists the words that begin a description. A description is not a fact to store.
var descriptionStarts = set("a an the not very so too broken gone lost full empty dead slow late wrong still really always never mad sick")

// act sets the action to the first of the wanted values that the tool accepts.
func (f factFiller) act(action string, wants ...string) {
	if action == "" {
		return
	}
	values, _ := f.properties[action]["enum"].([]any)
	for _, w := range wants {
		for _, v := range values {
			if s, ok := v.(string); ok && strings.EqualFold(s, w) {
				f.args[action] = s
				return
			}
		}
	}
}

// fact splits a statement into a topic and its value.
func fact(statement string) (key, value string) {
	statement = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(statement), ".!?"))
	if rest, ok := cutFold(statement, "to "); ok {
		return rest, rest
	}
	if m := iDo.FindStringSubmatch(statement); m != nil && negation.MatchString(statement) {
		words := strings.Fields(negation.ReplaceAllString(m[1], ""))
		return strings.Join(words, " "), statement
	}
	if m := iAm.FindStringSubmatch(statement); m != nil {
		if n := years.FindStringSubmatch(m[1]); n != nil {
			return "age", n[1]
		}
		if r := verbWithPreposition.FindStringSubmatch(m[1]); r != nil {
			return r[1], r[2]
		}
		return strings.TrimPrefix(strings.TrimPrefix(m[1], "a "), "an "), statement
	}
	if m := iDo.FindStringSubmatch(statement); m != nil {
		if r := verbWithPreposition.FindStringSubmatch(m[1]); r != nil {
			return plainVerb(r[1]), r[2]
		}
		return m[1], statement
	}
	if m := valueUnderKey.FindStringSubmatch(statement); m != nil && !topicIsValue.MatchString(m[1]+m[3]) {
		return topic(m[2] + m[4]), unquote(m[1] + m[3])
	}
	if m := valueAsKey.FindStringSubmatch(statement); m != nil && !topicIsValue.MatchString(m[1]) {
		if owned(m[2]) && !owned(m[1]) {
			return topic(m[2]), unquote(m[1])
		}
		return topic(m[1]), unquote(m[2])
	}
	if m := topicIsValue.FindStringSubmatch(statement); m != nil {
		return topic(m[1]), strings.TrimSpace(unquote(strings.TrimPrefix(m[2], "on ")))
	}
	if m := topicThenCode.FindStringSubmatch(statement); m != nil {
		return topic(m[1]), m[2]
	}
	if m := subjectVerbObject.FindStringSubmatch(statement); m != nil {
		return topic(m[1]), m[2] + " " + m[3]
	}
	return "", ""
}

// plainVerb removes the suffix of the past tense: it turns "parked" into "park".
func plainVerb(verb string) string {
	if root, ok := strings.CutSuffix(strings.ToLower(verb), "ed"); ok && len(root) > 2 {
		return root
	}
	return verb
}

// owned reports whether a text begins with a word that introduces a fact, such as "my".
func owned(text string) bool {
	for _, start := range []string{"my ", "our ", "the ", "key "} {
		if _, ok := cutFold(text, start); ok {
			return true
		}
	}
	return false
}

func cutFold(text, start string) (string, bool) {
	if len(text) > len(start) && strings.EqualFold(text[:len(start)], start) {
		return strings.TrimSpace(text[len(start):]), true
	}
	return text, false
}

// AllFacts is the key for a question about everything in a memory.
const AllFacts = "me"

// AsksForAll reports whether a request asks for everything in a memory.
func AsksForAll(request string) bool {
	r := newIndex(nil).read(request)
	return askForAll.MatchString(strings.TrimRight(strings.TrimSpace(r.text), "?.! "))
}

// askedTopic returns the topic that the request asks the memory for, or "" if there is none.
func (f factFiller) askedTopic() string {
	text := strings.TrimRight(strings.TrimSpace(f.text), "?.! ")
	if askForAll.MatchString(text) {
		return AllFacts
	}
	fit := func(about string) bool { return about != "" && !f.aboutPlace(about) && !aboutCode(f, about) }
	if m := lookUpKey.FindStringSubmatch(text); m != nil && fit(m[1]) {
		return topic(m[1])
	}
	for _, form := range []*lazyregexp.Regexp{whatIsMy, askMemory} {
		if m := form.FindStringSubmatch(text); m != nil && topic(m[1]) != "" && fit(m[1]) {
			return topic(m[1])
		}
	}
	if m := tellMeMy.FindStringSubmatch(text); m != nil && fit(m[1]) && !f.namesOtherTool(m[1]) {
		return topic(m[1])
	}
	return ""
}

// possibleTopic returns the topic that a question may ask the memory for, or "". goated prefers any
// other tool that matches.
func (f factFiller) possibleTopic() string {
	text := strings.TrimRight(strings.TrimSpace(f.text), "?.! ")
	if len(f.entities) > 0 || f.namesOtherTool(text) || howToQuestion.MatchString(text) || !f.question && !strings.HasPrefix(f.lower, "am i ") && !strings.HasSuffix(f.text, "?") {
		return ""
	}
	if m := whenIsSomeones.FindStringSubmatch(text); m != nil && slices.ContainsFunc(Words(m[1]), func(w string) bool { return factNouns[w] }) && unicode.IsUpper([]rune(m[1])[0]) {
		return topic(m[1])
	}
	if m := whichDoIHave.FindStringSubmatch(text); m != nil {
		return topic(m[1])
	}
	if m := amI.FindStringSubmatch(text); m != nil {
		if m[2] != "" || strings.HasPrefix(f.lower, "how old am i") {
			return "age"
		}
		return topic(m[1])
	}
	if m := whatDoI.FindStringSubmatch(text); m != nil && !stopWords[strings.ToLower(m[1])] && len(strings.Fields(m[2])) <= 3 {
		return topic(plainVerb(m[1]))
	}
	for _, form := range []*lazyregexp.Regexp{whatDoesMy, whoIs} {
		if m := form.FindStringSubmatch(text); m != nil {
			return topic(m[1])
		}
	}
	if m := topicAlone.FindStringSubmatch(text); m != nil && endsWithFactNoun(m[1]+m[2]) {
		return topic(m[1] + m[2])
	}
	if m := mentionsMy.FindStringSubmatch(text); m != nil && !strings.HasPrefix(f.lower, "why ") {
		words := strings.Fields(m[2])
		for i, w := range words {
			if i > 0 && stopWords[strings.ToLower(w)] {
				words = words[:i]
				break
			}
		}
		if m[1] != "" && len(words) > 1 && !endsWithFactNoun(strings.Join(words, " ")) { // does my passport expire
			words = words[:len(words)-1]
		}
		return topic(strings.Join(words, " "))
	}
	return ""
}

// endsWithFactNoun reports whether the last word of a text is a fact noun.
func endsWithFactNoun(text string) bool {
	words := Words(text)
	return len(words) > 0 && (factNouns[words[len(words)-1]] || factNouns[strings.TrimSuffix(words[len(words)-1], "s")])
}

// namesOtherTool reports whether a text contains a word from the name of another tool.
func (f factFiller) namesOtherTool(text string) bool {
	return slices.ContainsFunc(Words(text), func(w string) bool {
		return !stopWords[w] && f.names[stem(w)] && !genericVerbs[stem(w)] && f.weight(f.document, stem(w)) < 0.3
	})
}

// remembers reports whether the tool stores facts.
func (f factFiller) remembers() bool {
	known := func(w string) bool { return slices.Contains(f.concepts(w), "remember") }
	if slices.ContainsFunc(f.name, known) {
		return true
	}
	for w := range f.lead {
		if known(w) {
			return true
		}
	}
	return false
}

// aboutPlace reports whether a text contains a path or a URL. Such a text is not a fact.
func (f factFiller) aboutPlace(text string) bool {
	return slices.ContainsFunc(f.entities, func(e entity) bool { return (e.kind == path || e.kind == url) && strings.Contains(text, e.text) })
}

// aboutCode reports whether a text contains a digit and a word from the name of another
// tool. Such a text is not a fact: "my parcel 0034043" is for a parcel tool.
func aboutCode(f factFiller, text string) bool {
	words := Words(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789") }) && f.namesOtherTool(text)
}

// topic normalizes the topic of a fact, so that a statement and a question use the same key.
// For "my sister's birthday" and "is my sister's birthday on" it returns "sister's birthday".
func topic(text string) string {
	text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ".?!,"))
	text = unquote(text)
	for again := true; again; {
		again = false
		for _, word := range []string{"my ", "our ", "the ", "that ", "about ", "is ", "what ", "who ", "when ", "where ", "a ", "i ", "me ", "said ", "key ", "name of ", "names of "} {
			if rest, ok := cutFold(text, word); ok && rest != "" {
				text, again = rest, true
			}
		}
	}
	for _, word := range []string{" again", " is", " are", " was", " on", " at", " to", " from", "'s name", "’s name", " called", " named"} {
		text = strings.TrimSuffix(text, word)
	}
	return text
}
