package intent

import (
	"testing"

	"goated/internal/lazyregexp"
)

// Common questions about a fact find it.
func TestFactsAreFoundAgain(t *testing.T) {
	tools := toolbox(t, known(t, "ghost"))
	for _, pair := range [][]string{
		{"remember that my dentist is on Monday", "Monday", "what did I tell you about the dentist?", "who is my dentist?", "when is my dentist?", "what do you know about my dentist", "tell me my dentist", "do you remember my dentist?"},
		{"remember my wifi password is sunflower22", "sunflower22", "what's my wifi password?", "what is the wifi password again?", "wifi password?", "recall my wifi password", "look up the key wifi password"},
		{"save 43 as my shoe size", "43", "what is my shoe size?", "remind me of my shoe size"},
		{"hi, please remember that I live in Graz", "Graz", "where do I live?"},
		{"remember that I parked on level 3", "level 3", "where did I park?"},
		{"keep in mind that I am allergic to nuts", "nuts", "what am I allergic to?"},
		{"remember that I'm 34 years old", "34", "how old am I?"},
		{"remember that the name of my cat is Tom", "Tom", "what is my cat's name?", "what's my cat called?", "who is my cat"},
		{"our anniversary is 12 June, remember that", "12 June", "when is our anniversary?"},
		{"don't forget that Mia hates onions", "hates onions", "what do you know about Mia?", "what does Mia like?", "who is Mia?"},
		{"store the value blue under the key theme", "blue", "recall theme", "what is stored under theme"},
		{"remember to buy milk", "buy milk", "what do you remember about buy milk"},
	} {
		told := Find(pair[0], tools)
		if told.Tool == nil || told.Args["action"] != "write" || told.Args["value"] != pair[1] {
			t.Errorf("%q plans %+v", pair[0], told)
			continue
		}
		for _, question := range pair[2:] {
			if asked := Find(question, tools); asked.Tool == nil || asked.Args["action"] != "read" || asked.Args["key"] != told.Args["key"] {
				t.Errorf("%q plans %+v, but the fact is under %q", question, asked, told.Args["key"])
			}
		}
	}
}

// Only an order stores a fact. For a statement of a fact, storing it is offered. A text without a
// fact, or one that revokes the order, does neither.
func TestFactsAreKeptOnlyOnOrder(t *testing.T) {
	tools := toolbox(t, known(t, "ghost"))
	for _, request := range []string{"my locker code is 4711", "my sister's phone number is 0660 1234", "our wifi password is sunflower"} {
		if p := Find(request, tools); p.Tool != nil || len(p.Options) != 1 || p.Options[0].Args["action"] != "write" {
			t.Errorf("%q plans %+v", request, p)
		}
	}
	for _, request := range []string{
		"please forget everything about me", "never remember my password", "don't remember that my code is 1",
		"I remember my first bike", "remember when we met?", "you never remember my name", "I already told you my name", "if it rains remember the umbrella", "my printer is a mess", "my cat is not well",
		"should I remember my password?", "I forgot that my cat is Tom", "do you remember that my cat is Tom?", "remember that?",
	} {
		p := Find(request, tools)
		if p.Tool != nil && !p.reads {
			t.Errorf("%q runs %s %v", request, p.Tool.Name, p.Args)
		}
		for _, o := range p.Options {
			if o.Args["action"] == "write" {
				t.Errorf("%q offers %v", request, o.Args)
			}
		}
	}
}

// Small talk gets a reply if it is alone, but not if a request follows it.
func TestSmallTalkAndARequest(t *testing.T) {
	none := func() string { return "" }
	able := func() string { return "tools" }
	for request, want := range map[string]bool{
		"hello": true, "hi there!": true, "hey, how are you?": true, "thank you so much!": true, "perfect, that works": true, "hello, who are you?": true, "are you there?": true,
		"thanks! now play a sound": false, "great, list the files here": false, "hi, remember that my cat is Tom": false, "good morning, what is my code?": false, "hello world program": false,
	} {
		if got := SmallTalk(request, none, able); (got != "") != want {
			t.Errorf("%q gets %q", request, got)
		}
	}
}

// The examples in the comments of facts.go match their patterns.
func TestFormsOfFacts(t *testing.T) {
	for _, tt := range []struct {
		form    *lazyregexp.Regexp
		example string
	}{
		{valueUnderKey, "4711 under the key locker"},
		{valueAsKey, "4711 as my locker code"},
		{topicIsValue, "my locker code is 4711"},
		{iAm, "I am allergic to nuts"},
		{years, "43 years old"},
		{verbWithPreposition, "parked on level 3"},
		{iDo, "I usually park on level 3"},
		{negation, "don't"},
		{topicThenCode, "my locker code 4711"},
		{subjectVerbObject, "my sister lives in Graz"},
		{askMemory, "what do you know about my car"},
		{whatIsMy, "what is my locker code"},
		{tellMeMy, "tell me my locker code"},
		{whenIsSomeones, "when is Anna's birthday"},
		{whichDoIHave, "which car do I have"},
		{whatDoI, "where did I park"},
		{amI, "where am I registered"},
		{whatDoesMy, "where does Anna live"},
		{lookUpKey, "look up the key locker"},
		{askForAll, "what do you know about me"},
		{whoIs, "who is Anna"},
		{topicAlone, "the locker code again"},
		{mentionsMy, "does my passport expire soon"},
	} {
		if !tt.form.MatchString(tt.example) {
			t.Errorf("%q does not match %s", tt.example, tt.form)
		}
	}
}
