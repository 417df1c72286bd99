package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/jsonscan"
	"goated/internal/truncate"
)

// maxData is how many bytes of the data of an error a text shows.
const maxData = 500

// unusable begins the message of each error that goated makes in place of an answer.
const unusable = "the server's "

// Unusable makes the error of an answer that breaks MCP.
func Unusable(fault error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: unusable + "answer breaks MCP: " + fault.Error()}
}

// own begins the data of an error that goated makes because no answer came. denied and quoted
// follow where they are true: the server refuses the user or the request, and the message has
// words of the server.
const (
	own    = `"made by goated`
	denied = ", denied"
	quoted = ", quoted"
)

// A Refuser is the fault of a server that answers beside MCP, such as with a status of HTTP.
type Refuser interface {
	Refuses() bool // this user or this request
	Quotes() bool  // words of the server
}

// Made makes the error of a request in place of the server, which was not reached or whose answer
// cannot be read.
func Made(why error) *jsonrpc.Error {
	if strings.HasPrefix(why.Error(), unusable) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}
	}
	data := own
	var r Refuser
	if errors.As(why, &r) {
		if r.Refuses() {
			data += denied
		}
		if r.Quotes() {
			data += quoted
		}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: why.Error(), Data: json.RawMessage(data + `"`)}
}

// isMade reports whether data are of an error of Made.
func isMade(data []byte) bool { return bytes.HasPrefix(data, []byte(own)) }

// IsDenied reports whether goated made an error because the server refuses the user or the
// request.
func IsDenied(e *jsonrpc.Error) bool {
	return isMade(e.Data) && bytes.Contains(e.Data, []byte(denied))
}

// IsOwn reports whether goated made an error in place of an answer.
func IsOwn(e *jsonrpc.Error) bool { return isMade(e.Data) || IsUnusable(e) }

// IsUnusable reports whether an error stands for an answer that goated could not use.
func IsUnusable(e *jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeParseError && strings.HasPrefix(e.Message, unusable)
}

// The SDK reports these codes of its own for a connection that closes. They are free for servers.
const (
	clientClosing = -32003
	serverClosing = -32004
)

// Answered returns the error of an answer as the SDK can pass it on. The SDK compares errors by
// their codes, and would take a server's own use of some for the end of the connection.
func Answered(e error) error {
	var wire *jsonrpc.Error
	if errors.As(e, &wire) && (wire.Code == clientClosing || wire.Code == serverClosing) {
		return ofServer{wire}
	}
	return e
}

// An ofServer is an error that [errors.As] finds, with its code, and [errors.Is] does not.
type ofServer struct{ wire *jsonrpc.Error }

func (e ofServer) Error() string { return e.wire.Error() }

// As sets the target of [errors.As].
func (e ofServer) As(target any) bool {
	wire, ok := target.(**jsonrpc.Error)
	if ok {
		*wire = e.wire
	}
	return ok
}

// A Refusal is a JSON-RPC error of a server with a text that shows all of it.
type Refusal struct {
	wire *jsonrpc.Error
	text string
}

// NewRefusal returns the refusal of an error.
func NewRefusal(e *jsonrpc.Error) *Refusal {
	text := e.Message
	if strings.TrimSpace(text) == "" {
		text = fmt.Sprintf("the server sent the error %d (%s) without a message", e.Code, codeName(e.Code))
	}
	if pages := elicited(e); pages != "" {
		text += ". Open " + pages
	} else if data := dataOf(e); data != "" {
		text += " (data: " + data + ")"
	}
	return &Refusal{e, text}
}

func (r *Refusal) Error() string { return r.text }

// Unwrap returns the error as the server sent it.
func (r *Refusal) Unwrap() error { return r.wire }

// Said reports whether the text of an error has words of the server.
func Said(err error) bool {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		if isMade(wire.Data) {
			return bytes.Contains(wire.Data, []byte(quoted))
		}
		return !IsUnusable(wire) && (strings.TrimSpace(wire.Message) != "" || dataOf(wire) != "")
	}
	return false
}

// dataOf returns the data of an error on one line; empty if there is none.
func dataOf(e *jsonrpc.Error) string {
	var out bytes.Buffer
	if len(e.Data) == 0 || isMade(e.Data) || isNull(e.Data) || json.Compact(&out, e.Data) != nil {
		return ""
	}
	if text, ok := jsonscan.Text(out.Bytes()); ok && text == e.Message {
		return ""
	}
	return truncate.Bytes(out.String(), maxData)
}

// maxPages bounds the pages that the text of an error names.
const maxPages = 5

// elicited returns the pages that an error wants the user to open, with their reasons.
func elicited(e *jsonrpc.Error) string {
	if e.Code != mcp.CodeURLElicitationRequired {
		return ""
	}
	var data struct {
		Elicitations []struct{ URL, Message string }
	}
	if json.Unmarshal(e.Data, &data) != nil {
		return ""
	}
	var pages []string
	for _, one := range data.Elicitations {
		if one.URL == "" {
			continue
		}
		if len(pages) == maxPages {
			return strings.Join(pages, ", ") + " and more pages"
		}
		page := truncate.Bytes(one.URL, maxData)
		if one.Message != "" {
			page += " (" + truncate.Bytes(one.Message, maxData) + ")"
		}
		pages = append(pages, page)
	}
	return strings.Join(pages, " and ")
}

// codeName names the codes of JSON-RPC.
func codeName(code int64) string {
	switch code {
	case jsonrpc.CodeParseError:
		return "parse error"
	case jsonrpc.CodeInvalidRequest:
		return "invalid request"
	case jsonrpc.CodeMethodNotFound:
		return "method not found"
	case jsonrpc.CodeInvalidParams:
		return "invalid params"
	case jsonrpc.CodeInternalError:
		return "internal error"
	}
	return "an error of its own"
}
