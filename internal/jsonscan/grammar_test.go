package jsonscan

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// These are cases of RFC 8259's grammar: texts that every reader must accept, texts that it must
// reject, and texts that the RFC leaves open.
var (
	yes = []string{
		`[]`, `{}`, `[[]   ]`, `[""]`, `[false]`, `[null]`, `[1,"",null]`, " [1]", `[2] `, "[1\n]", "[\t1\r\n]", `{"a":[]}`, `{"":0}`, `{"a":{},"b":[{}]}`,
		`true`, `false`, `null`, `""`, `"a"`, `-0.1`, `42`, `0`, `-0`, `-1`, `123e45`, `0e+1`, `0e1`, ` 4`, `-123`, `20e1`, `1E22`, `1E-2`, `1E+2`, `123e-10000000`, `123.456e78`, `123.456789`, `-0.000000000000000000000000000000000000000000000000000000000000000000000000000001`, `1.0`,
		`"\u0060\u012a\u12AB"`, `"\uD801\udc37"`, `"\ud83d\ude39\ud83d\udc8d"`, `"\"\\\/\b\f\n\r\t"`, `"\\u0000"`, `"\""`, `"a/*b*/c/*d//e"`, `"\\a"`, `"\\n"`, `"\u0012"`, `"\uFFFF"`, `"asd "`, `"\uDBFF\uDFFF"`, `"new\u00A0line"`, "\"\U0010ffff\"", "\"\uffff\"", `"\u0000"`, `","`, `"π"`, "\"\U0001bfff\"", `" "`, `"\uDd1e\uD834"`, `"\u0821"`, `"\u0123"`, "\"\u2028\u2029\"", `"\u0061\u30af\u30EA\u30b9"`, "\"new\u007fline\"", `"⍂㈴⍂"`, "\"a\x7fa\"", `"\uA66D"`, `"\u005C"`, `"\u0022"`, `"\u200B"`, `"\u2064"`, `"\uFDD0"`, `"\uFFFE"`,
		`{"asd":"sdf","dfg":"fgh"}`, `{"asd":"sdf"}`, `{"title":"\u041f\u043e\u043b"}`, `{"min":-1.0e+28,"max":1.0e+28}`, "{\n\"a\": \"b\"\n}",
	}
	no = []string{
		``, ` `, `[1 true]`, `["": 1]`, `[""],`, `[,1]`, `[1,,2]`, `["x",,]`, `["x"]]`, `["",]`, `["x"`, `[x`, `[3[4]]`, `[1:2]`, `[,]`, `[-]`, `[   , ""]`, "[\"a\",\n4\n,1,", `[1,]`, `[1,,]`, "[\"\va\"\\f]", `[*]`, `[1,`, "[1,\n1\n,1", `[{}`, `[fals]`, `[nul]`, `[tru]`, `nul`, `truth`, `True`, `TRUE`, `None`, `undefined`,
		`++1234`, `+1`, `+Inf`, `-01`, `-1.0.`, `-2.`, `-NaN`, `.-1`, `.2e-3`, `0.1.2`, `0.3e+`, `0.3e`, `0.e1`, `0E`, `0e+`, `1.0e+`, `1.0e-`, `1.0e`, `1 000.0`, `1eE2`, `2.e+3`, `2.e3`, `9.e+`, `Inf`, `NaN`, `１`, `1+2`, `0x1`, `0x42`, `Infinity`, `0e+-1`, `-123.123foo`, `-Infinity`, `-foo`, `- 1`, `-012`, `-.123`, `-1x`, `1ea`, `1.`, `.123`, `1.2a-3`, `1.8011670033376514H-308`, `012`, `00`, `1_000`,
		`["x", truth]`, `{[: "x"}`, `{"x", null}`, `{"x"::"b"}`, `{🇨🇭}`, `{"a":"a" 123}`, `{key: 'value'}`, `{"a" b}`, `{:"b"}`, `{"a" "b"}`, `{"a":`, `{"a"`, `{1:1}`, `{9999E9999:1}`, `{null:null,null:null}`, `{"id":0,,,,,}`, `{'a':0}`, `{"id":0,}`, `{"a":"b"}/**/`, `{"a":"b"}/**//`, `{"a":"b"}//`, `{"a":"b"}/`, `{"a":"b",,"c":"d"}`, `{a: "b"}`, `{"a":"a`, `{ "foo" : "bar", "a" }`, `{"a":"b"}#`,
		`"\uD800\"`, `"\uD800\u"`, `"\uD800\u1"`, `"\uD800\u1x"`, `é`, `"\x00"`, `"\\\"`, "\"\\\t\"", "\"\\🌀\"", `"\"`, `"\u00A"`, `"\uD834\uDd"`, `"\uD800\uD800\x"`, `"\a"`, `"\uqqqq"`, "\"\\\xe5\"", `\u0020"asd"`, `\n`, `"`, `'single quote'`, `abc`, `"\`, "\"a\x00a\"", "\"new\nline\"", "\"\t\"", `"\UA66D"`, `""x`, "\"\x1f\"", "\"a\r\"",
		`<.>`, `[<null>]`, `[1]x`, `[1]]`, `["asd]`, `aå`, `[True]`, `1]`, `{"x": true,`, `[][]`, `]`, "\ufeff", "\xef\xbb{}", `{"":`, `2@`, `{}}`, `{"":[{"":[`, `{"a": true} "x"`, `[`, `[{`, `{]`, `[}`, `["a`, `["\{`, `{`, `{,`, `{'a'`, `{"a`, `*`, `{"a":"b"}#{}`, `[\u000A""]`, `[1`, "[\u2060]", "[\u00a0]", "\f[]", "[\f]", "[\v]", strings.Repeat(`[{"":`, 50000), strings.Repeat(`[`, 100000),
	}
	// The scanner accepts all of these. It does not evaluate numbers. Halves of
	// surrogate pairs and invalid UTF-8 become U+FFFD, as in the standard library.
	maybe = []string{
		`123.456e-789`, `0.4e00669999999999999999999999999999999999999999999999999999999999999999999`, `-1e+9999`, `1.5e+9999`, `-123123e100000`, `123123e100000`, `123e-10000000`, `-123123123123123123123123123123`, `100000000000000000000`, `-237462374673276894279832749832423479823246327846`,
		`{"\uDFAA":0}`, `"\uDADA"`, `"\uD888\u1234"`, `"\uD800\n"`, `"\uDd1ea"`, `"\uD800\uD800"`, `"\ud800"`, `"\ud800abc"`, `"\uDd1e\uD834"`, `"\uDFAA"`,
		"\"\xe6\x97\xa5\xd1\x88\xfa\"", "\"\xf0\xff\xff\"", "\"\xff\"", "\"\xf8\x88\x80\x80\x80\"", "\"\xed\xa0\x80\"", "\"\x81\"", "\"\xf4\xbf\xbf\xbf\"", "\"\xe0\xff\"", "\"\xc0\xaf\"", "\"\xfc\x83\xbf\xbf\xbf\xbf\"",
		strings.Repeat("[", 500) + strings.Repeat("]", 500),
	}
)

// grammatical scans a value of any type.
func grammatical(text []byte) error {
	text = Repair(text, 3*len(text))
	s := scanner{data: text, open: []level{{c: '['}}}
	if err := s.any(); err != nil {
		return err
	}
	if s.space(); s.i < len(text) {
		return ErrSyntax
	}
	return nil
}

// The scanner accepts exactly JSON. Its checks of keys do not belong to the grammar.
func TestGrammar(t *testing.T) {
	for _, text := range append(yes, maybe...) {
		if err := grammatical([]byte(text)); err != nil {
			t.Errorf("%.80q is refused: it %v", text, err)
		}
	}
	for _, text := range no {
		if grammatical([]byte(text)) == nil {
			t.Errorf("%.80q is taken", text)
		}
		if json.Valid([]byte(text)) {
			t.Errorf("%.80q is JSON", text)
		}
	}
}

// TestJSONTestSuite runs github.com/nst/JSONTestSuite. GOATED_JSONTESTSUITE is the test_parsing
// folder of a checkout.
func TestJSONTestSuite(t *testing.T) {
	dir := os.Getenv("GOATED_JSONTESTSUITE")
	if dir == "" {
		t.Skip("GOATED_JSONTESTSUITE is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		err = grammatical(text)
		switch name[0] {
		case 'y':
			if err != nil && !errors.Is(err, ErrDuplicateKey) && !errors.Is(err, ErrNULKey) {
				t.Errorf("%s is refused: it %v", name, err)
			}
		case 'n':
			if err == nil {
				t.Errorf("%s is taken", name)
			}
		case 'i':
			t.Logf("%s: %v", name, err)
		}
	}
}
