package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/exact"
	"goated/internal/lazyregexp"
	"goated/internal/truncate"
	"goated/servers/desktop/convert"
	"goated/servers/desktop/macosusesdk"
)

// The length of an answer in bytes, counting its text and its structured content but not its
// pictures.
const (
	defaultBytes = 8000
	maxBytes     = 1 << 20
)

// An answer is the result of a call.
type answer struct {
	text   string
	data   map[string]any
	images []mcp.Content
	failed bool
}

// fail marks an answer as failed if the service reported a failure. It keeps the rest of the data,
// which shows how far the action got. hint tells the model what to do next.
func (a *answer) fail(budget int, hint string) *answer {
	why, _ := a.data["error"].(string)
	f := &failure{codeServer, "FAILED_PRECONDITION", "it did not work: " + truncate.Bytes(textOr(why, "the application gives no reason"), maxLogged), hint}
	a.data["error"] = f.data()["error"]
	failed, _ := fitAs(func(data map[string]any) string {
		rest := maps.Clone(data)
		delete(rest, "error")
		delete(rest, "success")
		if len(rest) == 0 {
			return f.sentence()
		}
		return f.sentence() + "\n" + render(rest)
	}, a.data, budget)
	failed.failed = true
	return failed
}

// unfocused marks an answer as failed after the text was written into an element that cannot take
// the focus.
func (a *answer) unfocused() *answer {
	f := &failure{codeServer, "FAILED_PRECONDITION", "the text is in, but the element does not take the focus, so the key is not pressed", "Do not send the text again. Press the element, look where the focus is, then type the key with in."}
	a.data["error"] = f.data()["error"]
	a.text, a.failed = f.sentence()+"\n"+a.text, true
	return a
}

// result returns the answer as an MCP result.
func (a *answer) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           append([]mcp.Content{&mcp.TextContent{Text: a.text}}, a.images...),
		StructuredContent: json.RawMessage(compactJSON(a.data)),
		IsError:           a.failed,
	}
}

// incomplete adds a note about what the answer lacks, so that the model does not take it for
// complete.
func (a *answer) incomplete(gaps string) *answer {
	if gaps == "" {
		return a
	}
	if a.data == nil {
		a.data = make(map[string]any)
	}
	a.text = strings.TrimRight(a.text, "\n") + "\n" + gaps
	if note, ok := a.data["note"].(string); ok && note != "" {
		gaps = note + " " + gaps
	}
	a.data["note"] = gaps
	return a
}

// incomplete adds to a failure what the answers before it lacked. The thing that was not found may
// be in the missing part.
func incomplete(err error, gaps string) error {
	if gaps == "" {
		return err
	}
	f := *toFailure(err)
	f.hint = strings.TrimSpace(gaps + " " + f.hint)
	return &f
}

// compactJSON encodes data without escaping HTML characters.
func compactJSON(data any) []byte {
	out, err := exact.Encode(data)
	if err != nil {
		panic(err) // maps, lists and finite numbers always encode
	}
	return out
}

// budget returns the maximum length of the answer, which the call may set.
func (c *call) budget() int {
	budget := int(min(max(c.number("max_bytes", defaultBytes), 500), maxBytes))
	if gaps := c.gaps.String(); gaps != "" {
		budget = max(budget-2*len(gaps)-len(`,"note":""`), 250) // gaps are added to both the text and the data
	}
	return budget
}

// present makes an answer from a reply. If a page is too long, present requests a shorter one, so
// that the token of the next page continues after the last entry shown.
func (c *call) present(ctx context.Context, req, reply protoreflect.Message) (*answer, error) {
	if fd := reply.Descriptor().Fields().ByName("image_data"); fd != nil {
		return c.picture(ctx, req, reply)
	}
	if in, ok := reply.Interface().(*macosusesdk.Input); ok {
		return c.afterInput(ctx, req, in)
	}
	size := req.Descriptor().Fields().ByName("page_size")
	for range 3 {
		data := convert.Object(reply)
		a, kept := fit(data, c.budget())
		if kept < 0 || size == nil || kept == 0 {
			return a, nil
		}
		req.Set(size, protoreflect.ValueOfInt32(int32(kept)))
		shorter, err := c.send(ctx, c.tool.method, req.Interface())
		if err != nil {
			return nil, err
		}
		reply = shorter.ProtoReflect()
	}
	a, _ := fit(convert.Object(reply), c.budget())
	return a, nil
}

// fit returns an answer of at most budget bytes. It leaves out long tables of numbers, then cuts
// the longest list or text until the answer fits. kept is the number of entries that a top-level
// list keeps, or -1 if it keeps all.
func fit(data map[string]any, budget int) (a *answer, kept int) {
	return fitAs(render, data, budget)
}

// fitAs is like fit, but renders the text with write.
func fitAs(write func(map[string]any) string, data map[string]any, budget int) (a *answer, kept int) {
	kept = -1
	for range 64 {
		a = &answer{text: write(data), data: data}
		over := len(a.text) + len(compactJSON(data)) - budget
		if over <= 0 {
			return a, kept
		}
		longest := longestList(data)
		text, cut := longestText(data)
		table, leaveOut := longNumberTable(data, budget/8) // the table is in both the text and the data
		switch {
		case table != "":
			leaveOut()
			addNote(data, leftOut+table+".")
		case len(longest.items) > 1 && longest.length >= len(text):
			of := len(longest.items)
			n := max(1, min(of-1, of-over*of/max(1, 2*longest.length)))
			note(data, longest.name, n, of)
			longest.set(longest.items[:n])
			if longest.top {
				kept = n
			}
		case len(text) > 100:
			n := max(80, min(len(text)-20, len(text)*budget/(over+budget)))
			cut(shorter(text, n))
			if !strings.Contains(textOf(data, "note", ""), textCut) {
				addNote(data, textCut)
			}
		default:
			return smallest(data), kept
		}
	}
	return a, kept
}

// addNote adds a note to the data of an answer, after the notes that it has.
func addNote(data map[string]any, note string) {
	data["note"] = strings.TrimSpace(textOf(data, "note", "") + " " + note)
}

// cutMark matches the mark at the end of a text that was cut.
var cutMark = lazyregexp.New(`… \[\d+ of (\d+) bytes\]$`)

// shorter cuts a text to n bytes and adds a mark with its original length.
func shorter(text string, n int) string {
	of := strconv.Itoa(len(text))
	if m := cutMark.FindStringSubmatchIndex(text[max(0, len(text)-64):]); m != nil {
		end := text[max(0, len(text)-64):]
		of, text = end[m[2]:m[3]], text[:len(text)-len(end)+m[0]]
	}
	n = max(0, min(n-32, len(text))) // room for the mark
	return fmt.Sprintf("%s… [%d of %s bytes]", strings.ToValidUTF8(text[:n], ""), n, of)
}

// smallest returns the answer for data that cannot be cut any further.
func smallest(data map[string]any) *answer {
	text := "The answer is too large. Pass max_bytes for more."
	small := map[string]any{"note": text}
	for _, k := range keys(data) {
		if list, ok := data[k].([]any); ok {
			n := originalLength(data, k, len(list))
			text += fmt.Sprintf(" It has %d %s.", n, strings.ReplaceAll(plural(k, n), "_", " "))
		}
	}
	return &answer{text: text, data: small}
}

// textCut is the note about a cut text.
const textCut = "A text is cut. Pass max_bytes for more."

// leftOut begins the part of a note that names the tables that the answer leaves out.
const leftOut = "Left out: "

// cutNote matches the note about a cut list, at the start of the notes.
var cutNote = lazyregexp.New(`^The first \d+ of \d+ \S+\. Pass max_bytes for more\.`)

// note records how many entries of a list are in the answer, before the other notes. A later cut
// keeps the original length from the first note.
func note(data map[string]any, name string, n, of int) {
	of = originalLength(data, name, of)
	others := cutNote.ReplaceAllString(textOf(data, "note", ""), "")
	data["note"] = fmt.Sprintf("The first %d of %d %s. Pass max_bytes for more.", n, of, name)
	addNote(data, strings.TrimSpace(others))
}

// originalLength returns the length that a list had before it was cut, as recorded in the note. n is its
// current length.
func originalLength(data map[string]any, name string, n int) int {
	if was := textOf(data, "note", ""); strings.HasPrefix(was, "The first ") && strings.Contains(was, " "+name+".") {
		_, _ = fmt.Sscanf(strings.TrimPrefix(was, "The first "), "%d of %d", new(int), &n)
	}
	return n
}

// longNumberTable finds a table of numbers, such as the counts of roles, inside an object of data. The
// JSON of the table is longer than limit bytes.
func longNumberTable(data map[string]any, limit int) (name string, leaveOut func()) {
	for _, k := range keys(data) {
		object, _ := data[k].(map[string]any)
		for _, name := range keys(object) {
			if table, ok := object[name].(map[string]any); ok && isNumberTable(table) && len(compactJSON(table)) > limit {
				return name, func() { delete(object, name) }
			}
		}
	}
	return "", nil
}

// isNumberTable reports whether an object contains only numbers, and more than the four of a position and
// size.
func isNumberTable(object map[string]any) bool {
	for _, v := range object {
		switch v.(type) {
		case int32, int64, float64:
		default:
			return false
		}
	}
	return len(object) > 4
}

// A foundList is a list within data.
type foundList struct {
	name   string
	items  []any
	length int // of its JSON
	top    bool
	set    func([]any)
}

// longestList finds the list with the longest JSON that can be cut. Of two nested lists it returns
// the outer one, unless that has only one entry.
func longestList(data map[string]any) (longest foundList) {
	var visit func(v any, name string, top bool, set func([]any))
	visit = func(v any, name string, top bool, set func([]any)) {
		switch v := v.(type) {
		case map[string]any:
			for k, item := range v {
				visit(item, k, top, func(items []any) { v[k] = items })
			}
		case []any:
			if len(v) == 1 {
				visit(v[0], name, false, set)
				return
			}
			if n := len(compactJSON(v)); n > longest.length || n == longest.length && name < longest.name {
				longest = foundList{name, v, n, top, set}
			}
		}
	}
	for k, v := range data {
		visit(v, k, true, func(items []any) { data[k] = items })
	}
	return longest
}

// longestText finds the longest text, and returns a function that replaces it.
func longestText(v any) (text string, replace func(string)) {
	better := func(s string, set func(string)) {
		if len(s) > len(text) {
			text, replace = s, set
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			if s, ok := item.(string); ok {
				if k != "next_page_token" && k != "note" {
					better(s, func(s string) { v[k] = s })
				}
				continue
			}
			better(longestText(item))
		}
	case []any:
		for i, item := range v {
			if s, ok := item.(string); ok {
				better(s, func(s string) { v[i] = s })
				continue
			}
			better(longestText(item))
		}
	}
	return text, replace
}
