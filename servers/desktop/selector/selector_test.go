package selector

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/servers/desktop/element"
)

// anyElement draws an element from few values, so that selectors often match it.
func anyElement(t *rapid.T) *element.Element {
	e := &element.Element{
		Role: rapid.SampledFrom([]string{"push button", "label", "entry", "frame", "password text"}).Draw(t, "role"),
		Name: rapid.SampledFrom([]string{"", "OK", "Cancel", "naïve 日本語 🙂"}).Draw(t, "name"),
		Text: rapid.SampledFrom([]string{"", "OK", "content", "naïve 日本語 🙂"}).Draw(t, "text"), Enabled: rapid.Bool().Draw(t, "enabled"),
		Placed: rapid.Bool().Draw(t, "placed"), Attributes: map[string]string{},
	}
	if e.Placed {
		e.Bounds = element.Rect{X: float64(rapid.IntRange(0, 3).Draw(t, "x")), Y: 1, Width: 2, Height: 2}
	}
	for _, k := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"checked", "id", "value"}), rapid.ID).Draw(t, "attributes") {
		e.Attributes[k] = rapid.SampledFrom([]string{"true", "1", "a"}).Draw(t, k)
	}
	return e
}

// anySelector draws a selector, and a function that computes its meaning in another way.
func anySelector(t *rapid.T, depth int) (Selector, func(*element.Element) bool) {
	kinds := 5
	if depth > 0 {
		kinds = 8
	}
	must := func(s Selector, err error) Selector {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	texts := rapid.SampledFrom([]string{"OK", "content", "", "日本", "can"})
	switch kind := rapid.IntRange(0, kinds-1).Draw(t, "kind"); kind {
	case 0:
		role := rapid.SampledFrom([]string{"push button", "label", "Entry"}).Draw(t, "role")
		return must(Role(role)), func(e *element.Element) bool {
			return e.Role == strings.ToLower(role) || role == "Entry" && (e.Role == "text" || e.Role == "password text")
		}
	case 1:
		text := texts.Draw(t, "text")
		return must(Text(text)), func(e *element.Element) bool { return e.Name == text || e.Text == text }
	case 2:
		part := texts.Filter(func(s string) bool { return s != "" }).Draw(t, "part")
		return must(Contains(part)), func(e *element.Element) bool {
			return strings.Contains(strings.ToLower(e.Name), strings.ToLower(part)) || strings.Contains(strings.ToLower(e.Text), strings.ToLower(part))
		}
	case 3:
		x, tolerance := float64(rapid.IntRange(0, 4).Draw(t, "x")), float64(rapid.IntRange(0, 2).Draw(t, "tolerance"))
		return must(Position(element.Point{X: x, Y: 1}, tolerance)), func(e *element.Element) bool {
			return e.Placed && (math.Abs(e.Bounds.X-x) <= tolerance || math.Hypot(e.Bounds.X+1-x, 1) <= tolerance)
		}
	case 4:
		key := rapid.SampledFrom([]string{"checked", "id", "enabled"}).Draw(t, "key")
		return must(Attributes(map[string]string{key: "true"})), func(e *element.Element) bool {
			return key == "enabled" && e.Enabled || key != "enabled" && e.Attributes[key] == "true"
		}
	case 5:
		s, means := anySelector(t, depth-1)
		return must(Not(s)), func(e *element.Element) bool { return !means(e) }
	default:
		n := rapid.IntRange(1, 3).Draw(t, "parts")
		var parts []Selector
		var all []func(*element.Element) bool
		for range n {
			s, means := anySelector(t, depth-1)
			parts, all = append(parts, s), append(all, means)
		}
		and := kind == 6
		join := Or
		if and {
			join = And
		}
		return must(join(parts...)), func(e *element.Element) bool {
			for _, means := range all {
				if means(e) != and {
					return !and
				}
			}
			return and
		}
	}
}

// A selector matches as its description means.
func TestSelectorsMeanWhatTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, means := anySelector(t, 3)
		e := anyElement(t)
		if got, want := s.Fits(e), means(e); got != want {
			t.Fatalf("%+v: fits %v, want %v", e, got, want)
		}
	})
}

// An answer other than Maybe stays the same when more parts become known. If all needed parts are
// known, the answer is never Maybe.
func TestAnswersStayWhenMoreIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := anySelector(t, 3)
		e := anyElement(t)
		known := element.Fields(rapid.IntRange(0, int(element.AllFields)).Draw(t, "known"))
		seen := *e // unknown parts are missing
		if known&element.FieldText == 0 {
			seen.Text = seen.Name
		}
		if known&element.FieldBounds == 0 {
			seen.Bounds, seen.Placed = element.Rect{}, false
		}
		if known&element.FieldAttributes == 0 {
			seen.Attributes = nil
		}
		early := s.Match(&seen, known)
		if early != Maybe && early != s.Match(e, element.AllFields) {
			t.Fatalf("%+v: %v with %b, %v with all", e, early, known, s.Match(e, element.AllFields))
		}
		if s.Match(e, s.Needs()) == Maybe {
			t.Fatalf("needs %b, but that leaves Maybe", s.Needs())
		}
	})
}

func TestBadSelectorsAreErrors(t *testing.T) {
	for name, make := range map[string]func() (Selector, error){
		"role":       func() (Selector, error) { return Role(" ") },
		"contains":   func() (Selector, error) { return Contains("") },
		"regex":      func() (Selector, error) { return regex("(") },
		"long":       func() (Selector, error) { return Text(strings.Repeat("x", MaxText+1)) },
		"tolerance":  func() (Selector, error) { return Position(element.Point{}, -1) },
		"nan":        func() (Selector, error) { return Position(element.Point{X: math.NaN()}, 1) },
		"attributes": func() (Selector, error) { return Attributes(nil) },
		"and":        func() (Selector, error) { return And() },
		"or":         func() (Selector, error) { return Or() },
		"not":        func() (Selector, error) { return Not(Selector{}, Selector{}) },
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Text(""); err != nil {
		t.Errorf("an empty text: %v", err)
	}
	if !(Selector{}).Fits(&element.Element{}) {
		t.Error("the empty selector does not fit")
	}
}

// A model may use the role names of the web and of macOS.
func TestRolesOfOtherSystems(t *testing.T) {
	for name, role := range map[string]string{
		"AXButton": "push button", "button": "push button", "Push Button": "push button", "textbox": "entry", "AXTextField": "text", "AXStaticText": "label",
		"check_box": "check box", "AXSecureTextField": "password text", "AXWindow": "frame", "tab": "page tab", "page-tab": "page tab", "AXWebArea": "document web",
	} {
		s, err := Role(name)
		if err != nil || !s.Fits(&element.Element{Role: role}) {
			t.Errorf("%s does not fit %s: %v", name, role, err)
		}
		if s.Fits(&element.Element{Role: "scroll bar"}) {
			t.Errorf("%s fits a scroll bar", name)
		}
	}
}
