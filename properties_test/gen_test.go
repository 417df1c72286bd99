package properties_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/agent"
)

// texts generates any text, and texts that are hard for formatters and encodings.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringN(0, 5, -1),
		rapid.SampledFrom([]string{
			"", " ", "\n", "\t", "a\nb", "</script><b>&amp;", "\u2028\u2029", "\x00\x1b[31m", "\ufeff", "日本 👩‍👩‍👧",
			`{"a":`, `"`, `\`, `\u0000`, "null", "true", "0", "-0", "1e400", "NaN", `{"a": 1, "a": 2}`, "[1,2]\n", "[]", "{} {}",
		}),
	)
}

// exactNumbers generates JSON numbers, most of which a float64 cannot represent.
func exactNumbers() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
		rapid.Map(rapid.SampledFrom([]string{"0", "-0", "1e400", "-1E-7", "12345678901234567890123", "0.1000", "9007199254740993"}),
			func(n string) any { return json.Number(n) }),
	)
}

// floats generates numbers in the form in which encoding/json decodes them.
func floats() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(f float64) any { return f }),
		rapid.Map(rapid.IntRange(-1000, 1000), func(n int) any { return float64(n) }),
	)
}

// jsonValues generates JSON values with the given numbers.
func jsonValues(numbers *rapid.Generator[any], depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(texts(), func(s string) any { return s }),
		numbers,
	}
	if depth > 0 {
		below := jsonValues(numbers, depth-1)
		leaves = append(leaves,
			rapid.Map(rapid.SliceOfN(below, 0, 3), func(a []any) any { return append([]any{}, a...) }),
			rapid.Map(rapid.MapOfN(texts(), below, 0, 3), func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(leaves...)
}

// jsonObjects generates arguments for calls.
func jsonObjects(numbers *rapid.Generator[any]) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(texts(), jsonValues(numbers, 2), 0, 4)
}

// protocolMeta is the prefix of the protocol's metadata, which is not part of a tool's result.
const protocolMeta = "io.modelcontextprotocol/"

func metas() *rapid.Generator[mcp.Meta] {
	return rapid.Custom(func(t *rapid.T) mcp.Meta {
		if rapid.IntRange(0, 3).Draw(t, "meta") > 0 {
			return nil
		}
		meta := jsonObjects(floats()).Draw(t, "members")
		if rapid.Bool().Draw(t, "of the protocol") {
			meta[protocolMeta+"serverInfo"] = map[string]any{"name": "box"}
		}
		return meta
	})
}

// contents generates the content blocks of results.
func contents() *rapid.Generator[mcp.Content] {
	return rapid.Custom(func(t *rapid.T) mcp.Content {
		said := texts().Draw(t, "text")
		data := rapid.SliceOfN(rapid.Byte(), 1, 8).Draw(t, "data")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return &mcp.ImageContent{Data: data, MIMEType: "image/png", Meta: metas().Draw(t, "of image")}
		case 1:
			return &mcp.AudioContent{Data: data, MIMEType: said}
		case 2:
			return &mcp.ResourceLink{URI: "file:///x", Name: said, Description: said}
		case 3:
			return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Text: said}}
		case 4:
			return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Blob: data}}
		case 5:
			return &mcp.TextContent{Text: said, Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}}, Meta: metas().Draw(t, "of text")}
		case 6:
			value, err := json.Marshal(jsonValues(exactNumbers(), 2).Draw(t, "value"))
			if err != nil {
				t.Fatal(err)
			}
			return &mcp.TextContent{Text: string(value)}
		}
		return &mcp.TextContent{Text: said}
	})
}

// results generates tool results. Structured content often repeats a text in one of the ways of the
// SDKs.
func results() *rapid.Generator[*mcp.CallToolResult] {
	return rapid.Custom(func(t *rapid.T) *mcp.CallToolResult {
		r := &mcp.CallToolResult{
			Meta:    metas().Draw(t, "of result"),
			Content: append([]mcp.Content{}, rapid.SliceOfN(contents(), 0, 3).Draw(t, "contents")...),
			IsError: rapid.Bool().Draw(t, "is error"),
		}
		said := ""
		if len(r.Content) > 0 {
			if c, ok := r.Content[0].(*mcp.TextContent); ok {
				said = c.Text
			}
		}
		var parsed any
		if json.Unmarshal([]byte(said), &parsed) != nil {
			parsed = said
		}
		switch rapid.IntRange(0, 5).Draw(t, "structured") {
		case 0:
			r.StructuredContent = jsonValues(floats(), 2).Draw(t, "structure")
		case 1:
			r.StructuredContent = parsed
		case 2:
			r.StructuredContent = map[string]any{"result": parsed}
		case 3:
			r.StructuredContent = map[string]any{"result": said}
		}
		return r
	})
}

// events generates any event, using few call ids.
func events() *rapid.Generator[agent.Event] {
	return rapid.Custom(func(t *rapid.T) agent.Event {
		id := rapid.SampledFrom([]string{"call-1", "call-2", "call-3", ""}).Draw(t, "id")
		said := texts().Draw(t, "text")
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			return agent.TextDelta{Text: said}
		case 1:
			return agent.ThoughtDelta{Text: said}
		case 2:
			return agent.ToolCalled{
				ID: id, Name: said, Server: rapid.SampledFrom([]string{"", "box"}).Draw(t, "server"), Tool: strings.TrimSpace(said),
				Args: jsonObjects(floats()).Draw(t, "args"), At: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "at"), 0).UTC(),
			}
		case 3:
			return agent.ToolDecided{ID: id, Decision: agent.Decision(rapid.IntRange(0, 2).Draw(t, "decision")), Asked: rapid.Bool().Draw(t, "asked")}
		case 4:
			return agent.ToolReturned{ID: id, Error: said, Duration: time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "took"))}
		case 5:
			return agent.ToolReturned{ID: id, Result: results().Draw(t, "result")}
		}
		if rapid.IntRange(0, 3).Draw(t, "tool") == 0 {
			return agent.ToolQuarantined{Name: said, Server: "box", Tool: strings.TrimSpace(said), Reason: said}
		}
		return agent.TurnEnded{
			Reason: rapid.SampledFrom([]agent.Reason{agent.Done, agent.StepLimit, agent.Truncated, agent.Blocked, agent.Cancelled}).Draw(t, "reason"),
			Detail: said, Steps: rapid.IntRange(0, 12).Draw(t, "steps"),
		}
	})
}
