package assets

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

var write = flag.Bool("write", false, "write lexers.zip")

// The languages in lexers.zip are those of chroma. Chroma's own package for them reads the heads
// of all lexers at each start of every process, which would be the largest part of the
// initialisation of goated's packages. After an update of chroma, "go test ./assets -write"
// writes the file.
func TestLexersAreChromas(t *testing.T) {
	want := marshalled(t)
	if *write {
		if err := os.WriteFile("lexers.zip", zipped(t, want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	r, err := zip.NewReader(bytes.NewReader(Lexers), int64(len(Lexers)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines(got), lines(want[f.Name])) {
			t.Errorf("%s is not chroma's any more: go test ./assets -write", f.Name)
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("%s is missing: go test ./assets -write", name)
	}
}

// lines returns the sorted lines of a lexer, because their order varies.
func lines(lexer []byte) []string {
	return slices.Sorted(strings.Lines(string(lexer) + "\n"))
}

// marshalled returns chroma's lexers by file name.
func marshalled(t *testing.T) map[string][]byte {
	out := map[string][]byte{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		name := l.Config().Name
		r := ruled(l)
		plain(name, r.MustRules())
		data, err := chroma.Marshal(r)
		if err != nil {
			if name != "Haxe" && name != "Raku" { // they are programs, not rules
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		out[strings.NewReplacer("/", "_", " ", "_", "*", "_").Replace(strings.ToLower(name))+".xml"] = data
	}
	return out
}

// ruled returns the rule-based lexer within l. goated/ui/view does the work of the layers around
// it.
func ruled(l chroma.Lexer) *chroma.RegexLexer {
	for {
		if r, ok := l.(*chroma.RegexLexer); ok {
			return r
		}
		v := reflect.ValueOf(l).Elem()
		var inner reflect.Value
		for _, field := range []string{"Lexer", "language", "lexer"} {
			if inner = v.FieldByName(field); inner.IsValid() {
				break
			}
		}
		l = *(*chroma.Lexer)(unsafe.Pointer(inner.UnsafeAddr())) //nolint:gosec // there is no other way to it
	}
}

// plain replaces functions that only a program can provide by rules.
func plain(name string, rules chroma.Rules) {
	for _, state := range rules {
		for i := range state {
			e := state[i].Type
			if e == nil {
				continue
			}
			if groups := reflect.Indirect(reflect.ValueOf(e)); groups.Kind() == reflect.Struct {
				if in := groups.FieldByName("Emitters"); in.IsValid() {
					each := in.Interface().(chroma.Emitters)
					for k := range each {
						if each[k] != nil && reflect.TypeOf(each[k]).Kind() == reflect.Func {
							each[k] = chroma.LiteralString
						}
					}
				}
			}
			if reflect.TypeOf(e).Kind() != reflect.Func {
				continue
			}
			switch {
			case name == "HTTP" && strings.Count(state[i].Pattern, "(") >= 6:
				state[i].Type = chroma.ByGroups(chroma.Name, chroma.Text, chroma.Operator, chroma.Text, chroma.Literal, chroma.Text)
			case name == "HTTP":
				state[i].Type = chroma.Text
			default:
				state[i].Type = chroma.LiteralString
			}
		}
	}
}

// zipped returns the archive. It is always the same for the same files.
func zipped(t *testing.T, files map[string][]byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestCompression) })
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
