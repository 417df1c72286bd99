package intent

import (
	"encoding/json"
	"testing"
)

// A file server still reads texts if there is also a tool for the structure of source files. "show
// me shopping.txt" asked for the functions of a shopping list.
func TestTextsAreRead(t *testing.T) {
	for request, want := range map[string]string{
		"show me shopping.txt": "read_text_file", "show me notes.md": "read_text_file", "let me see budget.csv": "read_text_file", "display diary.txt please": "read_text_file",
		"show the outline of src/cart.go": "get_artifact", "which functions are in cart.js?": "get_artifact", "show the structure of main.py": "get_artifact",
	} {
		if p := Find(request, toolbox(t, known(t, "usual")+known(t, "code"))); p.Tool == nil || p.Tool.Own != want {
			t.Errorf("%q plans %+v", request, p)
		}
	}
}

// The URL of a page needs no scheme, and a file is not a URL.
func TestAddressesWithoutScheme(t *testing.T) {
	for request, want := range map[string]string{
		"get me the page example.com/prices":       `{"url":"https://example.com/prices"}`,
		"fetch the site golang.org":                `{"url":"https://golang.org"}`,
		"read the article at lwn.net/Articles/42.": `{"url":"https://lwn.net/Articles/42"}`,
		"show the website www.example.org":         `{"url":"https://www.example.org"}`,
		"rename the page index.html to home.html":  `{"destination":"home.html","source":"index.html"}`,
	} {
		p := Find(request, toolbox(t, known(t, "usual")+known(t, "code")))
		if got, err := json.Marshal(p.Args); p.Tool == nil || err != nil || string(got) != want {
			t.Errorf("%q gives %v %s, want %s; offers %d", request, p.Tool, got, want, len(p.Options))
		}
	}
}

// A number of lines applies to one end of the file. "tail of app.log, 100 lines" asked for both
// ends, which the server refuses.
func TestLinesOfOneEnd(t *testing.T) {
	for request, want := range map[string]string{
		"tail of app.log, 100 lines":                `{"path":"app.log","tail":100}`,
		"show the end of app.log, 9 lines":          `{"path":"app.log","tail":9}`,
		"show the beginning of log.txt, 12 lines":   `{"head":12,"path":"log.txt"}`,
		"show 12 lines from the top of log.txt":     `{"head":12,"path":"log.txt"}`,
		"show me 7 lines from the end of error.log": `{"path":"error.log","tail":7}`,
	} {
		p := Find(request, toolbox(t, known(t, "usual")))
		if got, err := json.Marshal(p.Args); p.Tool == nil || err != nil || string(got) != want {
			t.Errorf("%q gives %v %s, want %s", request, p.Tool, got, want)
		}
	}
}
