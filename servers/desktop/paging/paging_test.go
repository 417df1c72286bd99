package paging

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// All pages together are the list. Every token that Page did not make for the list is refused.
func TestPagesAreTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens, other := NewTokens(), NewTokens()
		items := rapid.SliceOfN(rapid.Int(), 0, 40).Draw(t, "items")
		size := int32(rapid.IntRange(1, 9).Draw(t, "size"))
		scope := Scope("ListWindows", rapid.String().Draw(t, "parent"))
		var all []int
		token := ""
		for {
			page, next, err := Page(tokens, items, size, token, scope)
			if err != nil || len(page) > int(size) {
				t.Fatal(len(page), err)
			}
			all = append(all, page...)
			if next == "" {
				break
			}
			data, _ := base64.RawURLEncoding.DecodeString(next)
			data[rapid.IntRange(0, len(data)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
			for _, bad := range []string{base64.RawURLEncoding.EncodeToString(data), next + "A", next[1:], "=" + next} {
				if _, _, err := Page(tokens, items, size, bad, scope); !errors.Is(err, errToken) {
					t.Fatalf("%q instead of %q: %v", bad, next, err)
				}
			}
			if _, _, err := Page(tokens, items, size, next, scope+"x"); !errors.Is(err, errToken) {
				t.Fatal("the token of another list was accepted")
			}
			if _, _, err := Page(other, items, size, next, scope); !errors.Is(err, errToken) {
				t.Fatal("the token of another server was accepted")
			}
			token = next
		}
		if !slices.Equal(all, items) {
			t.Fatalf("%v, want %v", all, items)
		}
	})
}

func TestPageSizes(t *testing.T) {
	items := make([]int, 3000)
	for size, want := range map[int32]int{0: DefaultSize, 7: 7, 5000: MaxSize} {
		if page, _, err := Page(NewTokens(), items, size, "", ""); err != nil || len(page) != want {
			t.Errorf("%d: %d items, want %d (%v)", size, len(page), want, err)
		}
	}
	if _, _, err := Page(NewTokens(), items, -1, "", ""); err == nil {
		t.Error("a negative size is accepted")
	}
}

func TestScopesDoNotMix(t *testing.T) {
	if Scope("a", "b,c") == Scope("a,b", "c") || Scope("a", "") == Scope("a") {
		t.Error("two lists have one scope")
	}
}

type window struct {
	title   string
	z       int64
	visible bool
}

func get(w window, field string) any {
	switch field {
	case "title":
		return w.title
	case "z_order":
		return w.z
	}
	return w.visible
}

var windowFields = map[string]Kind{"title": String, "z_order": Number, "visible": Bool}

func TestFilters(t *testing.T) {
	windows := []window{{"Editor — notes.txt", 0, true}, {"Calculator", 1, false}, {`say "hi"`, -2, true}}
	for filter, want := range map[string][]int{
		"":                            {0, 1, 2},
		`title="Calculator"`:          {1},
		`title = 'Calculator'`:        {1},
		`title=Calculator`:            {1},
		`title="*notes*"`:             {0},
		`title="Editor*"`:             {0},
		`title:"CALC"`:                {1},
		`title="say \"hi\""`:          {2},
		`visible=true`:                {0, 2},
		`visible=true AND z_order>=0`: {0},
		`visible=true z_order>=0`:     {0},
		`NOT visible=true`:            {1},
		`-visible=true`:               {1},
		`z_order=-2`:                  {2},
		`z_order < 1 AND title="x" OR title="Calc*"`:  {}, // OR has precedence
		`(z_order<1 AND visible=true) OR title=Calc*`: {0, 1, 2},
		`title!="Calculator"`:                         {0, 2},
	} {
		f, err := ParseFilter(filter, windowFields)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		for i, w := range windows {
			if got := f.Match(func(field string) any { return get(w, field) }); got != slices.Contains(want, i) {
				t.Errorf("%s: %s fits: %v", filter, w.title, got)
			}
		}
		if got := Apply(windows, f, get); len(got) != len(want) {
			t.Errorf("%s: %v", filter, got)
		}
	}
	for _, bad := range []string{"title", "title=", "title==1", "=", "name=1", "visible=maybe", "visible<true", "z_order=x", `title="x`, "(title=x", "title=x)", "title ! x", "AND",
		"title=x AND", "NOT", "z_order=NaN", strings.Repeat("(", 100) + "title=x", strings.Repeat("NOT ", 100) + "title=x", "title=" + strings.Repeat("x", maxFilter)} {
		if _, err := ParseFilter(bad, windowFields); err == nil {
			t.Errorf("%.60q: no error", bad)
		}
	}
}

// No text makes ParseFilter or ParseOrder panic, and an order sorts the list.
func TestAnyFilterAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"title", "=", "(", ")", "AND", "OR", "NOT", "-", "visible", "true", "z_order", "1", `"a`, `"`, ">", " ", ":", "desc", ","})).Draw(t, "words")
		text := strings.Join(words, rapid.SampledFrom([]string{"", " "}).Draw(t, "sep"))
		if f, err := ParseFilter(text, windowFields); err == nil {
			f.Match(func(field string) any { return get(window{}, field) })
		}
		order, err := ParseOrder(text, "title", "z_order", "visible")
		if err != nil {
			return
		}
		var list []window
		for i := range 10 {
			list = append(list, window{fmt.Sprint(i % 3), int64(-i), i%2 == 0})
		}
		Sort(list, order, get)
		for i := 1; i < len(list) && len(order) > 0; i++ {
			c := compare(get(list[i-1], order[0].Field), get(list[i], order[0].Field))
			if order[0].Desc && c < 0 || !order[0].Desc && c > 0 {
				t.Fatalf("%v is not sorted by %v", list, order)
			}
		}
	})
}

func TestParseOrder(t *testing.T) {
	order, err := ParseOrder("visible desc, title", "title", "visible")
	if err != nil || !slices.Equal(order, Order{{"visible", true}, {"title", false}}) {
		t.Error(order, err)
	}
	for _, bad := range []string{"size", "title up", "title desc title", "title,title", ",", "title,"} {
		if _, err := ParseOrder(bad, "title", "visible"); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// The values of an enum match in upper or lower case. The description of list_inputs names the
// filter state=failed, which found nothing.
func TestAnEnumFitsInAnyCase(t *testing.T) {
	state := func(string) any { return "FAILED" }
	for filter, want := range map[string]bool{"state=failed": true, `state="FAILED"`: true, "state!=Failed": false, "state=completed": false} {
		f, err := ParseFilter(filter, map[string]Kind{"state": Enum})
		if err != nil || f.Match(state) != want {
			t.Errorf("%s: %v, want %t", filter, err, want)
		}
	}
	if _, err := ParseFilter("state<failed", map[string]Kind{"state": Enum}); err == nil {
		t.Error("enums have no order")
	}
}
