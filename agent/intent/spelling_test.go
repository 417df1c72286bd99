package intent

import "testing"

// A typing error in the first word does not hide the verb. A word that means something else stays,
// and so does every other word, because it may be a value.
func TestFirstWordIsRepaired(t *testing.T) {
	x := newIndex(toolbox(t, known(t, "usual popular")))
	for text, want := range map[string]string{
		"opne notes.txt": "open notes.txt", "raed notes.txt": "read notes.txt", "Lsit the files": "list the files", "delte it": "delete it",
		"serach for x": "search for x", "reemove x": "remove x", "shwo opne": "show opne", "wirte x": "write x",
		"lose weight": "lose weight", "lost keys": "lost keys", "ready x": "ready x", "read x": "read x", "moved x": "moved x", "deleted x": "deleted x", "closed x": "closed x", "reads": "reads",
		"stage x": "stage x", "Lisa said": "Lisa said", "fond of x": "fond of x", "über": "über", "": "", "show": "show", "past": "past", "from": "from",
	} {
		if got := x.spell(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"the last three commits": "the last 3 commits", "first TEN lines": "first 10 lines", "three last words": "three last words"} {
		if got := countInWords.ReplaceAllStringFunc(text, digits); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
