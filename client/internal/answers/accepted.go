package answers

import (
	"bytes"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// formMark marks the answer to a form until [Encode] removes the mark.
const formMark = "dev.goated/form"

// The prefix of a marked answer, and of the answer that the server receives.
var (
	marked   = []byte(`{"_meta":{"` + formMark + `":true},"action":"accept"`)
	unmarked = []byte(`{"action":"accept"`)
)

// Accepted prepares an answer of the user for [Encode]. The SDK omits the content if the user
// accepts a form without values, and servers reject such an answer. The content of an accepted form
// must be `{}`. Only an accepted URL has no content.
func Accepted(p *mcp.ElicitParams, r *mcp.ElicitResult, err error) (*mcp.ElicitResult, error) {
	if err != nil || r == nil || r.Action != "accept" || len(r.Content) > 0 || len(r.Meta) > 0 || p.Mode == "url" {
		return r, err
	}
	out := *r
	out.Meta = mcp.Meta{formMark: true}
	return &out, nil
}

// Encode encodes a message of goated. The user's answers to forms may be the message's result, or
// since MCP 2026-07-28 part of a request's params.
func Encode(msg jsonrpc.Message) ([]byte, error) {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return nil, fmt.Errorf("encoding message: %w", err)
	}
	if !bytes.Contains(data, marked) {
		return data, nil
	}
	data = bytes.ReplaceAll(data, append(bytes.Clone(marked), '}'), append(bytes.Clone(unmarked), `,"content":{}}`...))
	return bytes.ReplaceAll(data, marked, unmarked), nil // the SDK added the form's defaults
}
