package serverflags

import "testing"

// The suggested message was quoted for Go, so the shell would have run a command inside it.
func TestAProposedCommandIsQuotedForAShell(t *testing.T) {
	for _, c := range []struct {
		path string
		args []string
		want string
	}{
		{"goated chat", []string{"what", "is", "$HOME"}, "write the message like this: goated chat -p 'what is $HOME'"},
		{"goated chat", []string{"it's", "`id`"}, `write the message like this: goated chat -p 'it'\''s ` + "`id`'"},
		{"goated call", []string{"say", `{"text": "it's"}`}, `write the arguments of the tool like this: goated call say --args '{"text": "it'\''s"}'`},
		{"goated call", []string{"say", "text=a b"}, `write the arguments of the tool like this: goated call say --args '{"text": "hi"}', or --arg 'text=a b'`},
		{"goated call", []string{"./dice.py", "roll a"}, "write a server like this: goated call 'roll a' --server ./dice.py"},
		{"goated call", []string{"./dice.py", "roll", `{"sides": 6}`}, `write a server like this: goated call roll --server ./dice.py --args '{"sides": 6}'`},
		{"goated call", []string{"./dice.py", "roll", "sides=6"}, "write a server like this: goated call roll --server ./dice.py --arg sides=6"},
		{"goated call", []string{"./dice.py"}, "write a server like this: goated call TOOL --server ./dice.py"},
		{"goated chat", []string{"./dice.py", "roll", "6"}, "write a server like this: goated chat --server ./dice.py -p 'roll 6'"},
		{"goated tools", []string{"./my logs.py"}, "write a server like this: goated tools --server './my logs.py'"},
		{"goated tools", []string{"./logs.py"}, "write a server like this: goated tools --server ./logs.py"},
	} {
		if got := instead(c.path, c.args); got != c.want {
			t.Errorf("%q: %s", c.args, got)
		}
	}
}
