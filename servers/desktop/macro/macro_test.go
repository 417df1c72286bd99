package macro

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/selector"
)

// A desk is a simulated world that records what happens.
type desk struct {
	done     []string
	elements []*pb.Element
	windows  func() []string
	silent   func() error // returns why the windows are unknown; nil: they are known
	fail     string       // typing this text fails
}

func (d *desk) Input(_ context.Context, a *pb.InputAction) error {
	text := a.GetTypeText().GetText() + a.GetPressKey().GetKey()
	if text == d.fail && text != "" {
		return errors.New("refused")
	}
	d.done = append(d.done, text)
	return nil
}

func (d *desk) Find(_ context.Context, s *pb.ElementSelector) (found []*pb.Element, err error) {
	if _, err := selector.Parse(s); err != nil {
		return nil, err
	}
	for _, e := range d.elements {
		if s.GetText() == e.GetText() || s.GetRole() == e.GetRole() && s.GetRole() != "" {
			found = append(found, e)
		}
	}
	return found, nil
}

func (d *desk) Windows(context.Context) ([]string, error) {
	if d.silent != nil {
		if err := d.silent(); err != nil {
			return nil, err
		}
	}
	if d.windows == nil {
		return nil, nil
	}
	return d.windows(), nil
}
func (d *desk) Running(_ context.Context, app string) (bool, error) { return app == "calculator", nil }
func (d *desk) Call(_ context.Context, method string, args map[string]string) (string, error) {
	d.done = append(d.done, fmt.Sprint(method, args))
	return "144", nil
}

func macroOf(t testing.TB, actions string) *pb.Macro {
	t.Helper()
	m := &pb.Macro{}
	if err := protojson.Unmarshal([]byte(`{"actions":[`+actions+`]}`), m); err != nil {
		t.Fatal(err)
	}
	return m
}

const typeX = `{"input":{"typeText":{"text":"${x}"}}}`

func TestMacros(t *testing.T) {
	for name, c := range map[string]struct {
		actions string
		want    []string
		err     string
	}{
		"text":        {`{"assign":{"variable":"x","literal":"naïve 日本語 🙂"}},` + typeX, []string{"naïve 日本語 🙂"}, ""},
		"escape":      {`{"input":{"typeText":{"text":"$${x} costs $5"}}}`, []string{"${x} costs $5"}, ""},
		"unknown":     {typeX, nil, `"x" has no value`},
		"no variable": {`{"input":{"typeText":{"text":"${a b}"}}}`, nil, "is not a variable"},
		"count":       {`{"loop":{"count":3,"actions":[{"input":{"typeText":{"text":"${index}"}}}]}}`, []string{"0", "1", "2"}, ""},
		"while": {`{"assign":{"variable":"x","literal":"1"}},{"loop":{"whileCondition":{"compound":{"operator":"OPERATOR_NOT","conditions":[{"variableEquals":{"variable":"x","value":"8"}}]}},
			"actions":[` + typeX + `,{"assign":{"variable":"x","expression":"x * 2"}}]}}`, []string{"1", "2", "4"}, ""},
		"endless":    {`{"loop":{"whileCondition":{"applicationRunning":"calculator"},"actions":[]}}`, nil, "still holds after 1000 rounds"},
		"too much":   {`{"loop":{"count":1000,"actions":[{"loop":{"count":1000,"actions":[{"assign":{"variable":"x","literal":""}}]}}]}}`, nil, "10000 actions"},
		"values":     {`{"loop":{"foreach":{"values":"a, b","itemVariable":"x"},"actions":[` + typeX + `]}}`, []string{"a", "b"}, ""},
		"json":       {`{"loop":{"foreach":{"values":"[\"a,b\", 2]","itemVariable":"x"},"actions":[` + typeX + `]}}`, []string{"a,b", "2"}, ""},
		"elements":   {`{"loop":{"foreach":{"elementSelector":"role:button","itemVariable":"b"},"actions":[{"methodCall":{"method":"ClickElement","args":{"id":"${b}","name":"${b.text}"}}}]}}`, []string{"ClickElementmap[id:e1 name:OK]", "ClickElementmap[id:e2 name:No]"}, ""},
		"then":       {`{"conditional":{"condition":{"elementExists":"text:OK"},"thenActions":[{"input":{"pressKey":{"key":"y"}}}],"elseActions":[{"input":{"pressKey":{"key":"n"}}}]}}`, []string{"y"}, ""},
		"else":       {`{"conditional":{"condition":{"elementExists":"text:Other"},"thenActions":[{"input":{"pressKey":{"key":"y"}}}],"elseActions":[{"input":{"pressKey":{"key":"n"}}}]}}`, []string{"n"}, ""},
		"attribute":  {`{"assign":{"variable":"x","elementAttribute":{"elementSelector":"OK","attribute":"role"}}},` + typeX, []string{"button"}, ""},
		"no element": {`{"assign":{"variable":"x","elementAttribute":{"elementSelector":"Other","attribute":"role"}}}`, nil, `no element fits "Other"`},
		"result":     {`{"methodCall":{"method":"GetElement"}},{"input":{"typeText":{"text":"${result}"}}}`, []string{"GetElementmap[]", "144"}, ""},
		"failure":    {`{"input":{"typeText":{"text":"bad"}}},{"input":{"typeText":{"text":"never"}}}`, nil, "action 1 (input): refused"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &desk{elements: []*pb.Element{{ElementId: "e1", Role: "button", Text: proto.String("OK")}, {ElementId: "e2", Role: "button", Text: proto.String("No")}}, fail: "bad"}
			res, err := Run(t.Context(), macroOf(t, c.actions), d, Options{Options: &pb.ExecutionOptions{RecordExecution: true}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(d.done, c.want) || res.Success != (c.err == "") || !strings.Contains(res.Error, c.err) || len(res.Log) == 0 {
				t.Errorf("%q, %v %q", d.done, res.Success, res.Error)
			}
		})
	}
}

func TestBadMacrosAreRefused(t *testing.T) {
	deep := strings.Repeat(`{"loop":{"count":1,"actions":[`, 20) + `{"assign":{"variable":"x","literal":""}}` + strings.Repeat(`]}}`, 20)
	for name, actions := range map[string]string{
		"empty": `{}`, "deep": deep, "count": `{"loop":{"count":5000}}`, "negative": `{"loop":{"count":-1}}`, "no list": `{"loop":{"foreach":{"itemVariable":"x"}}}`,
		"variable": `{"assign":{"variable":"a b","literal":""}}`, "expression": `{"assign":{"variable":"x","expression":"1 +"}}`, "wait": `{"wait":{"duration":-1}}`, "endless": `{"wait":{"duration":1e9}}`,
		"not": `{"conditional":{"condition":{"compound":{"operator":"OPERATOR_NOT"}}}}`, "condition": `{"conditional":{}}`, "method": `{"methodCall":{}}`, "input": `{"input":{}}`,
		"regex": `{"wait":{"condition":{"elementSelector":"text_regex:("}}}`,
	} {
		if _, err := Run(t.Context(), macroOf(t, actions), &desk{}, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	m := macroOf(t, typeX)
	m.Parameters = []*pb.MacroParameter{{Key: "x", Type: pb.MacroParameter_PARAMETER_TYPE_INTEGER, Required: true}}
	for _, values := range []map[string]string{nil, {"x": "a"}, {"x": "1", "y": "2"}} {
		if _, err := Run(t.Context(), m, &desk{}, Options{Values: values}); err == nil {
			t.Errorf("%v: no error", values)
		}
	}
	d := &desk{}
	if res, err := Run(t.Context(), m, d, Options{Values: map[string]string{"x": "12"}}); err != nil || !res.Success || !slices.Equal(d.done, []string{"12"}) {
		t.Error(res, err)
	}
}

func TestErrorsCanBePassed(t *testing.T) {
	d := &desk{fail: "bad"}
	m := macroOf(t, `{"input":{"typeText":{"text":"bad"}}},{"input":{"typeText":{"text":"next"}}}`)
	var done []int32
	res, err := Run(t.Context(), m, d, Options{Options: &pb.ExecutionOptions{ContinueOnError: true}, Progress: func(n, _ int32) { done = append(done, n) }})
	if err != nil || res.Success || !slices.Equal(d.done, []string{"next"}) || !slices.Equal(done, []int32{1, 2}) {
		t.Error(res, d.done, done, err)
	}
}

// A value never changes the structure of a selector or an expression.
func TestValuesAreNoCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", " OR ", " AND ", "NOT ", "role:", "${x}", "\"", "{", "+", "1", "\\", "(", "$${"})).Draw(t, "value"), "")
		r := &run{vars: map[string]string{"x": value}}
		s, err := selector.ParseText("role:button AND text:${x}")
		if err != nil {
			t.Fatal(err)
		}
		if s, err = expand(r, s); err != nil || len(s.GetCompound().GetSelectors()) != 2 || s.GetCompound().GetSelectors()[1].GetText() != value {
			t.Fatalf("%v, %v", s, err)
		}
		if out, err := evaluate("text(x) + text(${x})", r.value); err == nil && parseValue(value).Kind() == 4 && out != value+value {
			t.Fatalf("%q, want %q twice", out, value)
		}
	})
}

// Expressions have the same results as in Go, and no text makes them panic or hang.
func TestExpressions(t *testing.T) {
	vars := map[string]string{"x": "12", "s": "ab", "f": "0.5", "yes": "true", "item.text": "OK", "zero": "007"}
	value := (&run{vars: vars}).value
	for text, want := range map[string]string{
		"x * x": "144", "(x + 3) / 2": "7.5", "x % 5": "2", "-x": "-12", "f + f": "1", `s + "c"`: "abc", `s + x`: "ab12", "x == 12": "true", `s == "ab" && x > 3`: "true",
		"!yes || x < 1": "false", "len(s)": "2", `contains(item.text, "K")`: "true", "${x} + 1": "13", "0.1 + 0.2": "0.3", "9007199254740993 + 0": "9007199254740993", "zero + 1": "8",
	} {
		if got, err := evaluate(text, value); err != nil || got != want {
			t.Errorf("%s = %q, %v; want %s", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "x / 0", "x % 0", "s * 2", "!x", "unknown", "func() {}", "os.Exit(1)", "1e1000000000", "len()", "x = 1", "yes + yes", "1i", strings.Repeat("(", 5000)} {
		if got, err := evaluate(bad, value); err == nil {
			t.Errorf("%.40s = %q", bad, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"x", "s", "1", "0.5", "\"a\"", "+", "-", "*", "/", "%", "(", ")", "==", "<", "&&", "!", "len(", "true", ".", ","})).Draw(t, "parts")
		_, _ = evaluate(strings.Join(parts, " "), value)
	})
}

func TestWaitsEndWithTheConditionOrTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		d := &desk{windows: func() []string {
			if time.Since(begin) > 5*time.Second {
				return []string{"Save as…"}
			}
			return nil
		}}
		res, err := Run(t.Context(), macroOf(t, `{"wait":{"duration":2}},{"wait":{"condition":{"windowTitle":"save"}}}`), d, Options{Options: &pb.ExecutionOptions{Speed: 2}})
		if took := time.Since(begin); err != nil || !res.Success || took < 5*time.Second || took > 6*time.Second {
			t.Error(res, err, took)
		}
		begin = time.Now()
		res, _ = Run(t.Context(), macroOf(t, `{"wait":{"condition":{"windowTitle":"never","timeout":3}}}`), &desk{}, Options{})
		if took := time.Since(begin); res.Success || !strings.Contains(res.Error, "within 3s") || took > 4*time.Second {
			t.Error(res, took)
		}
		begin = time.Now()
		res, _ = Run(t.Context(), macroOf(t, `{"wait":{"duration":3600}}`), &desk{}, Options{Options: &pb.ExecutionOptions{Timeout: 7}})
		if took := time.Since(begin); res.Success || !strings.Contains(res.Error, "within 7s") || took > 8*time.Second {
			t.Error(res, took)
		}
	})
}

// An application that is starting or busy does not answer at first. A wait used to end at the first
// look that failed.
func TestAWaitLooksAgainAfterAFailedLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		d := &desk{windows: func() []string { return []string{"Save"} }, silent: func() error {
			if time.Since(begin) < 2*time.Second {
				return errors.New("it does not answer")
			}
			return nil
		}}
		wait := macroOf(t, `{"wait":{"condition":{"windowTitle":"save","timeout":5}}}`)
		if res, err := Run(t.Context(), wait, d, Options{}); err != nil || !res.Success {
			t.Error(res, err)
		}
		d.silent = func() error { return errors.New("it does not answer") }
		if res, _ := Run(t.Context(), wait, d, Options{}); res.Success || !strings.Contains(res.Error, "within 5s") || !strings.Contains(res.Error, "it does not answer") {
			t.Error(res)
		}
		d.silent = func() error { return status.Error(codes.PermissionDenied, "the user refuses") }
		begin = time.Now()
		if res, _ := Run(t.Context(), wait, d, Options{}); res.Success || time.Since(begin) > 0 {
			t.Error(res, time.Since(begin))
		}
	})
}
