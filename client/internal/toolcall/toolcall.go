// Package toolcall encodes the params of tools/call and decodes the common results. The MCP SDK
// would parse each result several times and lose digits of numbers.
//
// It must not know servers or connections. Its functions have no state and are safe for concurrent
// use.
package toolcall

import (
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/jsonscan"
)

// Params are the params of a call.
type Params struct {
	Tool  string // the server's name for the tool
	Args  []byte // a JSON object
	Token string // for progress
	Level string // minimum level of the log messages that the server sends during the call; empty means none
	Meta  []byte // more members of _meta, without the braces
}

// Append appends the params as JSON.
func (p Params) Append(to []byte) []byte {
	to = append(to, `{"_meta":{"progressToken":`...)
	to = jsonscan.AppendString(to, p.Token)
	if p.Level != "" {
		//lint:ignore SA1019 deprecated with logging itself
		to = append(append(to, `,"`+mcp.MetaKeyLogLevel+`":`...), strconv.Quote(p.Level)...)
	}
	if len(p.Meta) > 0 {
		to = append(append(to, ','), p.Meta...)
	}
	to = jsonscan.AppendString(append(to, `},"name":`...), p.Tool)
	to = append(append(to, `,"arguments":`...), p.Args...)
	return append(to, '}')
}

// Result decodes a result of tools/call that consists of texts, metadata and structured content. It
// keeps the bytes of the structured content unchanged. It does not validate the JSON again: result
// is part of a message that [jsonscan.Decode] has accepted. ok is false for other results, which
// the SDK decodes: images, texts with metadata, questions from the server, and errors.
func Result(result []byte) (r *mcp.CallToolResult, ok bool) {
	r = &mcp.CallToolResult{}
	known := jsonscan.Fields(result, func(key, value []byte) bool {
		switch string(key) {
		case "content":
			r.Content = make([]mcp.Content, 0, 1)
			return jsonscan.Elements(value, func(value []byte) bool {
				text, ok := textContent(value)
				if ok {
					r.Content = append(r.Content, text)
				}
				return ok
			})
		case "isError":
			r.IsError = string(value) == "true"
			return r.IsError || string(value) == "false"
		case "structuredContent":
			if string(value) != "null" {
				r.StructuredContent = json.RawMessage(append([]byte(nil), value...))
			}
			return true
		case "_meta":
			r.Meta = exact.Meta(value)
			return r.Meta != nil
		case "resultType":
			return string(value) == `"complete"`
		}
		return false
	})
	return r, known && r.Content != nil
}

// textContent decodes a content block of the type text. ok is false if the block has other members.
func textContent(value []byte) (*mcp.TextContent, bool) {
	c, typed, texts := &mcp.TextContent{}, false, false
	ok := jsonscan.Fields(value, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			typed = string(value) == `"text"`
			return typed
		case "text":
			c.Text, texts = jsonscan.Text(value)
			return texts
		}
		return false
	})
	return c, ok && typed && texts
}
