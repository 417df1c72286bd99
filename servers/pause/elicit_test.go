package pause

import (
	"encoding/json"
	"strings"
	"testing"

	"goated/servers/pause/dialog"
)

// A form has all words of a dialog: descriptions, groups, tags, both labels and the warning.
func TestFormHasTheWordsOfTheDialog(t *testing.T) {
	options := `"options":[{"label":"Red","value":"r","group":"Warm","description":"Like fire","tags":["loud"]},{"label":"Blue","value":"b","group":"Cold"},{"label":"Pink","value":"p","group":"Warm"},{"label":"Grey","value":"g"}]`
	for kind, tt := range map[dialog.Kind]struct {
		arguments string
		want      []string
	}{
		dialog.KindMultiChoice:  {`{"question":"Which?","description":"Take two.",` + options + `}`, []string{"Take two.", `"Grey"`, `"Warm: Red – Like fire #loud"`, `"Warm: Pink"`, `"Cold: Blue"`}},
		dialog.KindSingleChoice: {`{"question":"Which?","description":"Take one.",` + options + `}`, []string{"Take one.", `"Warm: Red – Like fire #loud"`}},
		dialog.KindPlanner:      {`{"decision_context":"Which?","plan":"Paint",` + options + `}`, []string{"Paint", "– Like fire"}},
		dialog.KindTextInput:    {`{"question":"Which?","description":"A name.","placeholder":"Teal"}`, []string{"A name.", `"Teal"`}},
		dialog.KindConfirm:      {`{"question":"Delete?","description":"All of it.","isDangerous":true,"yesLabel":"Delete","noLabel":"Keep"}`, []string{"All of it.", "Warning: this cannot be undone.", `"On: Delete. Off: Keep."`}},
	} {
		q, err := dialog.Parse(kind, json.RawMessage(tt.arguments))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(request(q, false))
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		for _, want := range tt.want { // the groups stand together
			i := strings.Index(string(text)[from:], want)
			if i < 0 && kind == dialog.KindMultiChoice || !strings.Contains(string(text), want) {
				t.Errorf("%s: %s is missing, or too early, in %s", kind, want, text)
				continue
			}
			from += max(i, 0)
		}
	}
	q, err := dialog.Parse(dialog.KindConfirm, json.RawMessage(`{"question":"Send?","warning":"Everybody reads it."}`))
	if err != nil {
		t.Fatal(err)
	}
	if message, _ := describe(q); !strings.Contains(message, "Warning: Everybody reads it.") {
		t.Errorf("the form says %q", message)
	}
}
