package markdown

import (
	"slices"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// goated supports all languages of chroma, by each of their names. The exceptions are two whose
// lexers are programs.
func TestLanguagesAreChromas(t *testing.T) {
	for _, name := range lexers.Names(true) {
		want := lexers.Get(name).Config().Name
		if want == "Haxe" || want == "Raku" {
			continue
		}
		if got := languages().Get(name); got == nil || got.Config().Name != want {
			t.Errorf("%q is not %s", name, want)
		}
	}
}

// goated's lexers produce the same colours as chroma's.
func TestLanguagesColourAsChromas(t *testing.T) {
	for name, code := range map[string]string{
		"go":         "package main\n\nimport \"fmt\"\n\nfunc main() { // say it\n\tfmt.Println(\"é\", 0x1F)\n}\n",
		"python":     "@cached\ndef f(x: int) -> str:\n    \"\"\"Doc.\"\"\"\n    return f\"{x:>3}\"  # right\n",
		"javascript": "const f = async (x) => `a${x}b` ?? /re+/g; // later\n",
		"typescript": "interface A<T> { readonly x: T | undefined }\n",
		"json":       "{\"a\": [1, true, null, \"x\"]}\n",
		"bash":       "for f in *.go; do echo \"$f\" | wc -l; done\n",
		"html":       "<!doctype html><p class=\"x\">Hi<script>let a = 1;</script><style>p { color: red }</style>\n",
		"markdown":   "# Head\n\n- *one*\n\n```go\nfunc f() {}\n```\n",
		"rust":       "fn main() -> Result<(), E> { println!(\"{}\", 1u8); Ok(()) }\n",
		"sql":        "SELECT count(*) FROM t WHERE a = 'b'; -- all\n",
		"yaml":       "a: &x\n  - 1\n  - \"two\" # three\n",
		"php":        "<?php echo \"a $b\"; function f(): int { return 1; }\n",
		"phtml":      "<p><?php echo 1; ?></p>\n",
		"svelte":     "<script>let a = 1;</script>\n{#if a}<p>{a}</p>{/if}\n",
		"http":       "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n",
		"cpp":        "#include <map>\ntemplate <class T> int f(const T &t) { return t.size(); }\n",
	} {
		got := Highlight(name, code)
		want, ok := lexed(chroma.Coalesce(lexers.Get(name)), code)
		if !ok {
			t.Fatalf("chroma itself loses something of %s", name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%v\nchroma:\n%v", name, got, want)
		}
	}
}
