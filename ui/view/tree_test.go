package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// awkward generates names and strings that are hard to display: they look like other values, are
// invisible, or need quotes.
func awkward() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "null", "12", `"`, `"a"`, "a\nb", "\\", "\u0000", "{}", "a.b", "日本", "\u2028", "</script>", "—", "\t",
	}))
}

func scalar() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(awkward(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(fmt.Sprint(n)) }),
		rapid.Map(rapid.SampledFrom([]string{"1e400", "-0", "0.1000", "90071992547409931234567890", "1E+2"}), func(n string) any { return json.Number(n) }),
	)
}

func value(depth int) *rapid.Generator[any] {
	if depth == 0 {
		return scalar()
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
	return rapid.OneOf(
		scalar(),
		rapid.Map(rapid.SliceOfN(inner, 0, 5), func(v []any) any { return v }),
		rapid.Map(rapid.MapOfN(awkward(), inner, 0, 5), func(v map[string]any) any { return v }),
	)
}

// written returns v in one of the notations that a tool may use.
func written(t *rapid.T, v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(rapid.Bool().Draw(t, "escaped"))
	enc.SetIndent("", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return " " + b.String()
}

// parsed parses a JSON text and keeps the notation of numbers.
func parsed(t interface{ Fatalf(string, ...any) }, text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q is not JSON: %v", text, err)
	}
	return v
}

// retold writes the visible rows as JSON again.
func retold(rows []Row, kind NodeKind) string {
	var b strings.Builder
	var walk func(depth int, kind NodeKind)
	at := 0
	walk = func(depth int, kind NodeKind) {
		open, shut := "{", "}"
		if kind == ArrayNode {
			open, shut = "[", "]"
		}
		b.WriteString(open)
		for n := 0; at < len(rows) && rows[at].Depth == depth; n++ {
			row := rows[at]
			at++
			if n > 0 {
				b.WriteByte(',')
			}
			if kind == ObjectNode {
				b.WriteString(FormatJSON(row.Name) + ":")
			}
			if row.Nested() {
				walk(depth+1, row.Kind)
			} else {
				b.WriteString(row.Text())
			}
		}
		b.WriteString(shut)
	}
	walk(0, kind)
	return b.String()
}

// Property 4 of the seed for trees: the rows of a fully opened tree represent the whole value,
// and copying a row gives its part of the value.
func TestTreeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := written(t, value(4).Draw(t, "value"))
		want := parsed(t, text)
		root, ok := ParseNode(text)
		if !ok {
			t.Fatalf("%q was not read", text)
		}
		if got := parsed(t, root.JSON()); !reflect.DeepEqual(got, want) {
			t.Fatalf("the root is %v, not %v", got, want)
		}
		if s, is := want.(string); is && root.Plain() != s {
			t.Fatalf("plain it is %q, not %q", root.Plain(), s)
		}
		if !root.Nested() {
			return
		}
		tree := NewTree(root)
		tree.OpenAll()
		if got := parsed(t, retold(tree.Rows, root.Kind)); !reflect.DeepEqual(got, want) {
			t.Fatalf("the rows say %v, not %v", got, want)
		}
		if tree.Folded() {
			t.Fatal("something is still folded")
		}
	})
}

// After any sequence of opening and folding, the rows are those of a walk over the open nodes.
func TestTreeFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, _ := ParseNode(written(t, value(4).Draw(t, "value")))
		tree := NewTree(root)
		open := make(map[string]bool)
		for i, r := range tree.Rows {
			open[tree.Path(i)] = r.Open
		}
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			if len(tree.Rows) == 0 {
				return
			}
			i := rapid.IntRange(0, len(tree.Rows)-1).Draw(t, "row")
			before, was := len(tree.Rows), tree.Rows[i]
			tree.Toggle(i)
			switch now := tree.Rows[i]; {
			case !was.Nested() && len(tree.Rows) != before:
				t.Fatal("a plain value folded")
			case was.Nested() && now.Open == was.Open:
				t.Fatal("nothing happened")
			case now.Open && len(tree.Rows) != before+was.Size:
				t.Fatalf("%d rows came of %d values", len(tree.Rows)-before, was.Size)
			}
			paths := make(map[string]bool)
			for i, r := range tree.Rows {
				if p := tree.Path(i); paths[p] && r.Name == "" {
					t.Fatalf("two rows are at %s", p)
				} else {
					paths[p] = true
				}
			}
		}
	})
}

func TestPaths(t *testing.T) {
	root, ok := ParseNode(`{"a": {"b c": [0, {"x_1": 1}]}, "": 2, "1": 3}`)
	if !ok {
		t.Fatal("not read")
	}
	tree := NewTree(root)
	tree.OpenAll()
	var got []string
	for i := range tree.Rows {
		got = append(got, tree.Path(i))
	}
	want := []string{"$.a", `$.a["b c"]`, `$.a["b c"][0]`, `$.a["b c"][1]`, `$.a["b c"][1].x_1`, `$[""]`, `$["1"]`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Property 4 for tables: if an array becomes a table, every value can be restored from the text
// of its cell, and a missing value differs from all others.
func TestGridLosesNothing(t *testing.T) {
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a", "b", "", "x y"})
		cell := rapid.OneOf(scalar(), rapid.Map(rapid.SampledFrom([]string{"ok", "eu-west", "12", ""}), func(s string) any { return s }))
		rows := rapid.SliceOfN(rapid.MapOfN(name, cell, 0, 4), 0, 5).Draw(t, "rows")
		text := written(t, rows)
		root, ok := ParseNode(text)
		if !ok {
			t.Fatal("not read")
		}
		g, ok := newGrid(root)
		if !ok {
			return
		}
		made++
		var back []any
		for _, row := range g.Rows {
			object := make(map[string]any)
			for i, c := range row {
				switch {
				case c.Text == "":
				case json.Valid([]byte(c.Text)):
					object[g.Columns[i].Name] = parsed(t, c.Text)
				default:
					object[g.Columns[i].Name] = c.Text
				}
			}
			back = append(back, object)
		}
		if want := parsed(t, text); !reflect.DeepEqual(any(back), want) {
			t.Fatalf("the table says %v, not %v", back, want)
		}
	})
	if made == 0 {
		t.Error("no table was ever made")
	}
}

func TestGridWhereItWouldLoseSomething(t *testing.T) {
	for name, text := range map[string]string{
		"two of a name":    `[{"a":1,"a":2},{"a":3}]`,
		"not objects":      `[1,2]`,
		"nothing in it":    `[{},{}]`,
		"not an array":     `{"a":1}`,
		"mixed":            `[{"a":1},2]`,
		"too many columns": `[{` + strings.TrimSuffix(strings.Repeat(`"a":1,`, 65), ",") + `},{"a":1}]`,
	} {
		root, ok := ParseNode(text)
		if !ok {
			t.Fatal(text)
		}
		if g, ok := newGrid(root); ok {
			t.Errorf("%s: it became the table %+v", name, g)
		}
	}
}

func BenchmarkTree(b *testing.B) {
	text := megabyte(1 << 20)
	b.Run("parse", func(b *testing.B) {
		for range b.N {
			TextOf("Result", text)
		}
	})
	root, _ := ParseNode(text)
	b.Run("open", func(b *testing.B) {
		for range b.N {
			NewTree(root)
		}
	})
	b.Run("openall", func(b *testing.B) {
		for range b.N {
			NewTree(root).OpenAll()
		}
	})
}

// megabyte returns JSON of about n bytes.
func megabyte(n int) string {
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"customer":{"name":"customer %d","tags":["a","b"]},"note":"leave it at the door","total":%d.5}`, i, i*7919%5000, i)
	}
	b.WriteString(`]}`)
	return b.String()
}
