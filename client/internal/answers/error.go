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

// maxData bounds how many bytes of an error's data a text shows.
const maxData = 500

// unusable begins the message of each error that goated creates instead of a response.
const unusable = "the server's "

// Unusable returns the error for a response that violates MCP.
func Unusable(fault error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: unusable + "answer breaks MCP: " + fault.Error()}
}

// localMark begins the data of an error that goated creates because no response came. denied follows if
// the server refuses the user or the request. quotedMark follows if the message contains the server's
// words.
const (
	localMark  = `"made by goated`
	denied     = ", denied"
	quotedMark = ", quoted"
)

// A Refuser is an error with which a server refuses outside of MCP, for example by an HTTP status.
type Refuser interface {
	Refuses() bool      // the server refuses this user or this request
	QuotesServer() bool // the error contains the server's words
}

// NewLocal returns the error for a request whose server goated could not reach, or whose response it
// could not read.
func NewLocal(why error) *jsonrpc.Error {
	if strings.HasPrefix(why.Error(), unusable) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}
	}
	data := localMark
	var r Refuser
	if errors.As(why, &r) {
		if r.Refuses() {
			data += denied
		}
		if r.QuotesServer() {
			data += quotedMark
		}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: why.Error(), Data: json.RawMessage(data + `"`)}
}

// hasLocalMark reports whether an error with this data comes from NewLocal.
func hasLocalMark(data []byte) bool { return bytes.HasPrefix(data, []byte(localMark)) }

// IsDenied reports whether goated created the error because the server refuses the user or the
// request.
func IsDenied(e *jsonrpc.Error) bool {
	return hasLocalMark(e.Data) && bytes.Contains(e.Data, []byte(denied))
}

// IsLocal reports whether goated created the error instead of a response.
func IsLocal(e *jsonrpc.Error) bool { return hasLocalMark(e.Data) || IsUnusable(e) }

// IsUnusable reports whether the error stands for a response that goated could not use.
func IsUnusable(e *jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeParseError && strings.HasPrefix(e.Message, unusable)
}

// The SDK uses these codes for a connection that closes. Servers may use them for anything.
const (
	clientClosing = -32003
	serverClosing = -32004
)

// ForSDK returns a response's error in a form that the SDK can pass on. The SDK compares errors
// by their codes. If a server used one of these codes, the SDK would assume that the connection
// ended.
func ForSDK(e error) error {
	var wire *jsonrpc.Error
	if errors.As(e, &wire) && (wire.Code == clientClosing || wire.Code == serverClosing) {
		return serverError{wire}
	}
	return e
}

// A serverError is an error whose code [errors.As] finds but [errors.Is] does not.
type serverError struct{ wire *jsonrpc.Error }

func (e serverError) Error() string { return e.wire.Error() }

// As implements the interface of [errors.As].
func (e serverError) As(target any) bool {
	wire, ok := target.(**jsonrpc.Error)
	if ok {
		*wire = e.wire
	}
	return ok
}

// A Refusal is a JSON-RPC error from a server. Its text contains the whole error.
type Refusal struct {
	wire *jsonrpc.Error
	text string
}

// NewRefusal returns the refusal for an error.
func NewRefusal(e *jsonrpc.Error) *Refusal {
	text := e.Message
	if strings.TrimSpace(text) == "" {
		text = fmt.Sprintf("the server sent the error %d (%s) without a message", e.Code, codeName(e.Code))
	}
	if pages := requestedPages(e); pages != "" {
		text += ". Open " + pages
	} else if data := dataOf(e); data != "" {
		text += " (data: " + data + ")"
	}
	return &Refusal{e, text}
}

func (r *Refusal) Error() string { return r.text }

// Unwrap returns the error in the server's form.
func (r *Refusal) Unwrap() error { return r.wire }

// HasServerText reports whether the text of an error contains the server's words.
func HasServerText(err error) bool {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		if hasLocalMark(wire.Data) {
			return bytes.Contains(wire.Data, []byte(quotedMark))
		}
		return !IsUnusable(wire) && (strings.TrimSpace(wire.Message) != "" || dataOf(wire) != "")
	}
	return false
}

// dataOf returns the data of an error on one line, or "" if there is none.
func dataOf(e *jsonrpc.Error) string {
	var out bytes.Buffer
	if len(e.Data) == 0 || hasLocalMark(e.Data) || isNull(e.Data) || json.Compact(&out, e.Data) != nil {
		return ""
	}
	if text, ok := jsonscan.Text(out.Bytes()); ok && text == e.Message {
		return ""
	}
	return truncate.Bytes(out.String(), maxData)
}

// maxPages bounds the pages that an error's text names.
const maxPages = 5

// requestedPages returns the pages that an error asks the user to open, with their reasons.
func requestedPages(e *jsonrpc.Error) string {
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

// codeName returns the name of a JSON-RPC error code.
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
