package fields

import (
	"encoding/json"
	"testing"
)

// The description of a number may mention a PIN that it does not ask for, as in the server
// "everything". For a number only its name and title count, but for a string every word does.
func TestNumberIsSecretByItsNameAlone(t *testing.T) {
	for property, want := range map[string]bool{
		`"integer":{"type":"integer","title":"Integer","description":"Your favorite integer (do not give us your phone number, pin, or other sensitive info)"}`: false,
		`"n":{"type":["number","null"],"description":"not a password"}`:                                                                                         false,
		`"agree":{"type":"boolean","description":"We keep your credentials"}`:                                                                                   false,
		`"pin":{"type":"integer"}`:                                                                        true,
		`"n":{"type":"integer","title":"Your PIN"}`:                                                       true,
		`"n":{"type":"integer","format":"password"}`:                                                      true,
		`"spinning":{"type":"integer","title":"Opinion"}`:                                                 false,
		`"s":{"type":"string","description":"Your PIN"}`:                                                  true,
		`"any":{"description":"Your PIN"}`:                                                                true,
		`"either":{"anyOf":[{"type":"integer"},{"type":"string"}],"description":"Your PIN"}`:              true,
		`"list":{"type":"array","items":{"type":"string"},"description":"The words of your seed phrase"}`: true,
	} {
		var schema any
		if err := json.Unmarshal([]byte(`{"type":"object","properties":{`+property+`}}`), &schema); err != nil {
			t.Fatal(err)
		}
		list, err := FromSchema(schema)
		if err != nil {
			t.Fatalf("%s: %v", property, err)
		}
		if _, got := FirstSecret(list); got != want {
			t.Errorf("%s: secret is %v", property, got)
		}
	}
}
