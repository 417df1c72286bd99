package intent

import "testing"

// Imperative converts a title or description to an imperative phrase, if it begins with a verb.
func TestImperative(t *testing.T) {
	for said, want := range map[string]string{
		"Open applications": "open applications", "Use the clipboard": "use the clipboard", "Remember and recall": "remember and recall", "Arrange a window": "arrange a window",
		"Shows the working tree status": "show the working tree status", "Searches code on GitHub": "search code on GitHub", "Read PDF": "read PDF", "Switches branches": "switch branches",
		"Create a new file or completely overwrite an existing file": "create a new file or completely overwrite an existing file", "List Git branches": "",
		"Create Directory": "", "Directory Tree": "", "Directory tree": "", "Get File Info": "", "Fetch": "", "": "", "Weather of a city": "", "Status of a job": "", "JSON tools": "",
	} {
		if got, ok := Imperative(said); got != want || ok != (want != "") {
			t.Errorf("%q becomes %q, %v; want %q", said, got, ok, want)
		}
	}
}
