package answers

import (
	"bytes"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// formMark marks the answer to a form until [Encode].
const formMark = "dev.goated/form"

// The beginning of a marked answer, and of the answer that the server gets.
var (
	marked   = []byte(`{"_meta":{"` + formMark + `":true},"action":"accept"`)
	unmarked = []byte(`{"action":"accept"`)
)

// Accepted returns an answer of the user for [Encode]. The SDK leaves out the content of a form
// that the user accepted without values. Servers take such an answer for a broken one: the
// content of a form is `{}` then, and only an address that the user opened has none.
func Accepted(p *mcp.ElicitParams, r *mcp.ElicitResult, err error) (*mcp.ElicitResult, error) {
	if err != nil || r == nil || r.Action != "accept" || len(r.Content) > 0 || len(r.Meta) > 0 || p.Mode == "url" {
		return r, err
	}
	out := *r
	out.Meta = mcp.Meta{formMark: true}
	return &out, nil
}

// Encode encodes a message of goated. The answers of the user to forms may be its result, or in
// the params of a request since MCP 2026-07-28.
func Encode(msg jsonrpc.Message) ([]byte, error) {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return nil, fmt.Errorf("encoding message: %w", err)
	}
	if !bytes.Contains(data, marked) {
		return data, nil
	}
	data = bytes.ReplaceAll(data, append(bytes.Clone(marked), '}'), append(bytes.Clone(unmarked), `,"content":{}}`...))
	return bytes.ReplaceAll(data, marked, unmarked), nil // the SDK added the defaults of the form
}
