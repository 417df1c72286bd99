package intent

import "testing"

// An order to forget a fact finds the tool that forgets facts, with the topic under which the fact
// was stored.
func TestFactsAreForgottenOnOrder(t *testing.T) {
	for _, sets := range []string{"ghost", "usual"} {
		tools := toolbox(t, known(t, sets))
		for request, topic := range map[string]string{
			"forget coffee": "coffee", "forget my coffee": "coffee", "please forget my shoe size": "shoe size", "forget about the dentist": "dentist",
			"forget what I said about my dentist": "dentist", "Forget everything I told you about coffee, please.": "coffee", "could you forget what you know about my boss?": "boss",
			"delete the note about coffee": "coffee", "remove the fact about my locker code": "locker code", "erase my wifi password from your memory": "wifi password",
			"delete what you know about the dentist": "dentist", "forget that my pin is 4711": "pin", "forget everything about Mia": "Mia",
			"forget the key wifi password": "wifi password", "forget 'coffee order'": "coffee order", "stop remembering my birthday": "birthday", "clear the memory of my old address": "old address",
		} {
			if p := Find(request, tools); p.Tool == nil || p.Tool.Own != "forget_fact" || p.Args["key"] != topic {
				t.Errorf("%s: %q plans %+v, want to forget %q", sets, request, p, topic)
			}
		}
		for _, request := range []string{
			"forget it", "forget that", "forget everything", "I forgot my shoe size", "don't forget my shoe size", "never forget the milk", "forget my pin tomorrow", "should I forget my pin?",
			"delete notes.txt", "remove coffee", "delete the coffee", "what did I forget?", "how do I forget her?", "if it rains forget the umbrella", "what do you remember about coffee", "did you forget my birthday?",
			"he told me to forget my coffee", "forget it all", "forget about it", "you always forget my birthday",
		} {
			p := Find(request, tools)
			if p.Tool != nil && p.Tool.Own == "forget_fact" {
				t.Errorf("%s: %q forgets %v", sets, request, p.Args)
			}
			for _, o := range p.Options {
				if key, _ := o.Args["key"].(string); o.Tool.Own == "forget_fact" && noTopic.MatchString(key) {
					t.Errorf("%s: %q offers to forget %q", sets, request, key)
				}
			}
		}
	}
}
