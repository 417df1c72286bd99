//go:build unix

package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// wrong connects testdata/wrong.py, which replaces its answers to some methods as instead says.
func wrong(t *testing.T, o client.Options, instead ...string) (*client.Host, error) {
	t.Helper()
	h := host(t, o)
	_, err := h.Connect(t.Context(), client.Config{Path: servertest.Script("wrong.py"), Args: instead})
	return h, err
}

// callWrong calls the tool of testdata/wrong.py, which does instead in place of its answer.
func callWrong(t *testing.T, limit time.Duration, instead string) (*mcp.CallToolResult, error) {
	t.Helper()
	h, err := wrong(t, client.Options{Timeouts: client.Timeouts{Call: limit}}, "tools/call", instead)
	if err != nil {
		t.Fatal(err)
	}
	return h.Call(t.Context(), "wrong__one", nil, nil)
}

// patiently repeats check with longer limits until it returns nil. These servers never send the
// answer that goated waits for, so the first limit is short. On a busy computer, a server may
// need more time for what it does in place of the answer.
func patiently(t *testing.T, check func(limit time.Duration) error) {
	t.Helper()
	var err error
	for _, limit := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} {
		if err = check(limit); err == nil {
			return
		}
	}
	t.Error(err)
}

// timeoutAfter returns the error message of a call that exceeded a limit.
func timeoutAfter(limit time.Duration) string {
	if limit == time.Second {
		return "Tool execution timeout after 1 second"
	}
	return fmt.Sprintf("Tool execution timeout after %v seconds", limit.Seconds())
}

// If a server hung after it had written the cause to its log, or had answered in a form that
// goated cannot use, the error named only the time limit.
func TestTimeoutOfACallSaysWhatTheServerDid(t *testing.T) {
	t.Parallel()
	const result = `"result":{"content":[]}}`
	for name, tt := range map[string]struct{ instead, want, advice string }{
		"a log":        {"stderr Traceback: connection refused to db:5432", "the server wrote meanwhile: Traceback: connection refused to db:5432", "Try again"},
		"lines":        {"stderr retry in 1 s\nINFO a request\nretry in 2 s", "the server wrote meanwhile:\n  | retry in 1 s\n  | retry in 2 s", "Try again"},
		"a string id":  {`{"jsonrpc":"2.0","id":"ID",` + result, `the server answered with the id "1000000001", a string, where goated sent the number`, "fault of the server"},
		"another id":   {`{"jsonrpc":"2.0","id":77,` + result, "the server answered with the id 77, which no open request of goated has", "fault of the server"},
		"no id":        {`{"jsonrpc":"2.0","id":null,` + result, "the server sent a message that has an id that is neither an integer nor a short string: {", "fault of the server"},
		"many lines":   {"{\n \"jsonrpc\": \"2.0\",\n \"id\": ID,\n \"result\": {}\n}", `the server wrote something that is not one JSON message per line: { "jsonrpc": "2.0", "id": 1000000001, "result": {} }`, "fault of the server"},
		"quotes":       {`{'jsonrpc': '2.0'}`, "the server wrote something that is not one JSON message per line: {'jsonrpc': '2.0'}", "fault of the server"},
		"a list":       {`[{"jsonrpc":"2.0","id":ID,` + result + `]`, "the server wrote something that is not one JSON message per line: [{", "fault of the server"},
		"a print":      {"DEBUG called", "the server wrote something that is not one JSON message per line: DEBUG called", "Try again"},
		"the framing":  {"Content-Length: 20\r\n\r\n{", "the server uses the framing of LSP", "fault of the server"},
		"nothing else": {"silent", "", "Try again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patiently(t, func(limit time.Duration) error {
				_, err := callWrong(t, limit, tt.instead)
				want := timeoutAfter(limit)
				if tt.want != "" {
					want += ": " + tt.want
				}
				if !errors.Is(err, client.ErrCallTimeout) || !strings.HasPrefix(err.Error(), want) || tt.want == "" && err.Error() != want {
					return fmt.Errorf("the call says %q, want %q", err, want)
				}
				if got := wording.Advice(err); !strings.Contains(got, tt.advice) {
					return fmt.Errorf("the advice is %q", got)
				}
				return nil
			})
		})
	}
}

// Lines that give no reason are not part of the sentence, but they are part of the error.
func TestTimeoutOfACallKeepsTheLinesOfTheLog(t *testing.T) {
	t.Parallel()
	patiently(t, func(limit time.Duration) error {
		_, err := callWrong(t, limit, "stderr INFO a request\nINFO a query")
		var e *client.Error
		if !errors.As(err, &e) || err.Error() != timeoutAfter(limit) || !slices.Equal(e.Stderr, []string{"INFO a request", "INFO a query"}) {
			return fmt.Errorf("the call says %q, in %+v", err, e)
		}
		return nil
	})
}

// Lines that a server wrote before a call do not explain the call.
func TestTimeoutOfACallIsNotAboutEarlierLines(t *testing.T) {
	t.Parallel()
	h, err := wrong(t, client.Options{Timeouts: client.Timeouts{Call: time.Second}}, "notifications/initialized", "stderr ready", "tools/call", "silent")
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the line", func() bool { return slices.Contains(h.Snapshot().Servers[0].Stderr, "ready") })
	if _, err := h.Call(t.Context(), "wrong__one", nil, nil); err == nil || err.Error() != "Tool execution timeout after 1 second" {
		t.Errorf("the call says %q", err)
	}
}

// wrongResults maps results that violate MCP to the description of what is wrong with them.
var wrongResults = map[string]string{
	`"ok"`:               "the result must be an object with `content`; it is the string \"ok\"",
	`{"content":"ok"}`:   "`content` must be a list of blocks such as {\"type\":\"text\",\"text\":\"…\"}; it is the string \"ok\"",
	`{"content":{}}`:     "`content` must be a list of blocks such as {\"type\":\"text\",\"text\":\"…\"}; it is an object",
	`{"content":["ok"]}`: "`content[0]` must be a block such as {\"type\":\"text\",\"text\":\"…\"}; it is the string \"ok\"",
	`{"content":[{"type":"text","text":42}]}`:                                                 "`content[0].text` must be a string; it is the number 42",
	`{"content":[{"type":"text","text":"a"},{"type":"video"}]}`:                               "`content[1]` has the unknown type \"video\"; MCP has audio, image, resource, resource_link, text",
	`{"content":[{"text":"a"}]}`:                                                              "`content[0]` has no `type`",
	`{"content":[{"type":"image","mimeType":"image/png","data":"data:image/png;base64,AA"}]}`: "`content[0].data` begins with \"data:image/png;base64,\"; MCP takes the base64 without that",
	`{"content":[{"type":"image","mimeType":"image/png","data":"_-8="}]}`:                     "`content[0].data` has \"_\", as the base64 of URLs does",
	`{"content":[{"type":"image","mimeType":"image/png","data":"AA A"}]}`:                     "`content[0].data` is not base64: character 3 is wrong",
	`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"?"}}]}`:                   "`content[0].resource.blob` is not base64",
	`{"content":[{"type":"text","text":"a","annotations":{"audience":"user"}}]}`:              "`content[0].annotations.audience` must be a list such as [\"user\"]; it is the string \"user\"",
	`{"isError":"true","content":[]}`:                                                         "`isError` must be true or false; it is the string \"true\"",
}

// The error named Go types of this program: "cannot unmarshal … into Go struct field".
func TestWrongResultIsExplainedInWordsOfMCP(t *testing.T) {
	t.Parallel()
	for result, want := range wrongResults {
		t.Run(result, func(t *testing.T) {
			t.Parallel()
			_, err := callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"result":`+result+`}`)
			checkWrong(t, err, want)
		})
	}
}

// "The server's message is not JSON" did not say what was wrong and where.
func TestAnswerThatIsNotJSONNamesTheFault(t *testing.T) {
	t.Parallel()
	_, err := callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"v":NaN}}}`)
	if want := `Tool execution failed: the server's message is not JSON: NaN is not a JSON value, at …`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the call says %v, want %q", err, want)
	}
}

func checkWrong(t *testing.T, err error, want string) {
	t.Helper()
	if want = "Tool execution failed: the server's answer breaks MCP: " + want; !errors.Is(err, client.ErrTool) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the call says %q, want %q", err, want)
	}
	if got := wording.Advice(err); got != "This is a fault of the server. Update it, or send its authors this message." {
		t.Errorf("the advice is %q", got)
	}
}

// bareURL serves MCP with one tool, without an SDK. call answers the calls of that tool.
func bareURL(t *testing.T, call func(w http.ResponseWriter, id any)) (address string) {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // of this host
		msg, err := jsonrpc.DecodeMessage(body)
		req, ok := msg.(*jsonrpc.Request)
		if err != nil || !ok || !req.IsCall() {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := `"error":{"code":-32601,"message":"no"}`
		switch req.Method {
		case "initialize":
			answer = `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}`
		case "tools/list":
			answer = `"result":{"tools":[{"name":"one","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			call(w, req.ID.Raw())
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,%s}`, req.ID.Raw(), answer)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// A server with a URL gets the same message.
func TestWrongResultOfAURLIsExplained(t *testing.T) {
	t.Parallel()
	var result string
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: bareURL(t, func(w http.ResponseWriter, id any) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"result":%s}`, id, result)
	})})
	for _, text := range []string{`{"content":"ok"}`, `"ok"`, `{"content":[{"type":"video"}]}`} {
		result = text
		_, err := h.Call(t.Context(), id+"__one", nil, nil)
		if err == nil || !strings.Contains(err.Error(), "the server's answer breaks MCP: ") || strings.Contains(err.Error(), "Go struct") {
			t.Errorf("%s: the call says %v", text, err)
		}
	}
	result = `{"temperature":20}`
	r, err := h.Call(t.Context(), id+"__one", nil, nil)
	if err != nil || !strings.Contains(said(t, r), "Its members: temperature.") {
		t.Errorf("%v, %v", r, err)
	}
}

// A result without content looked like a silent success. Only an empty list is one.
func TestResultWithoutContentSaysSo(t *testing.T) {
	t.Parallel()
	const note = "Note of goated: the server's result has no `content`, which MCP requires. "
	for result, want := range map[string]string{
		`{"temperature":20,"unit":"C"}`: note + "Its members: temperature, unit.",
		`null`:                          note + "It has no members.", `{}`: note + "It has no members.",
		`{"content":[]}`: "", `{"structuredContent":{"a":1}}`: "",
	} {
		r, err := callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"result":`+result+`}`)
		if err != nil {
			t.Errorf("%s: %v", result, err)
			continue
		}
		text := ""
		if len(r.Content) > 0 {
			text = said(t, r)
		}
		if text != want {
			t.Errorf("%s gives %q, want %q", result, text, want)
		}
	}
}

// goated dropped the data of an error, gave an empty reason for an empty message, and claimed
// that each answer explains what was wrong.
func TestErrorOfACallShowsAllThatTheServerSaid(t *testing.T) {
	t.Parallel()
	for failure, want := range map[string]struct{ text, advice string }{
		`{"code":-32000,"message":"boom"}`:                                        {"boom", "The server's answer says what was wrong."},
		`{"code":-32000,"message":"boom","data":{"hint": "set region"}}`:          {`boom (data: {"hint":"set region"})`, "The server's answer says what was wrong."},
		`{"code":-32603,"message":""}`:                                            {"the server sent the error -32603 (internal error) without a message", "Try again. If it happens again, look at the server's log"},
		`{"code":-32000,"message":"a","data":"` + strings.Repeat("x", 900) + `"}`: {`a (data: "` + strings.Repeat("x", 496) + "…)", "The server's answer says what was wrong."},
		`{"code":-32042,"message":"Sign in","data":{"elicitations":[{"mode":"url","elicitationId":"1","url":"https://example.com/auth","message":"Authorize"}]}}`: {
			"Sign in. Open https://example.com/auth (Authorize)", "The server's answer says what was wrong."},
	} {
		_, err := callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"error":`+failure+`}`)
		if err == nil || err.Error() != "Tool execution failed: "+want.text || !strings.HasPrefix(wording.Advice(err), want.advice) {
			t.Errorf("%s gives %v (%s)", failure, err, wording.Advice(err))
		}
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || strings.Contains(failure, "data") != (len(wire.Data) > 0) {
			t.Errorf("%s: the data is lost", failure)
		}
	}
	_, err := callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[]}}`)
	if got := wording.Advice(err); !strings.HasPrefix(got, "Try again. If it happens again, look at the server's log") {
		t.Errorf("the advice of an error without a reason is %q", got)
	}
	_, err = callWrong(t, time.Minute, `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}`)
	if got := wording.Advice(err); !strings.HasPrefix(got, "This is a fault of the server.") {
		t.Errorf("the advice of an answer that is not JSON is %q", got)
	}
}

// One invalid member of one tool disabled the whole server.
func TestToolWithAWrongMemberKeepsTheOtherMembers(t *testing.T) {
	t.Parallel()
	list := `{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + strings.Join([]string{
		`{"name":"hints","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","title":"Hints"}}`,
		`{"name":"number","description":5,"inputSchema":{"type":"object"}}`, `{"name":5,"inputSchema":{"type":"object"}}`, `"none"`,
		`{"name":"one","title":[],"icons":{},"_meta":1,"inputSchema":{"type":"object"}}`,
	}, ",") + `]}}`
	h, err := wrong(t, client.Options{}, "tools/list", list)
	if err != nil {
		t.Fatal(err)
	}
	s := h.Snapshot().Servers[0]
	if len(s.Tools) != 3 || len(s.Uncallable) != 1 || s.Tools[0].Tool.Annotations == nil || s.Tools[0].Tool.Annotations.Title != "Hints" || s.Tools[0].Tool.Annotations.ReadOnlyHint || s.Tools[0].Tool.Description != "d" {
		t.Errorf("it has %+v and %+v", s.Tools, s.Uncallable)
	}
	for _, want := range []string{
		"stdout: goated ignores a member of the tool \"hints\": `annotations.readOnlyHint` must be true or false; it is the string \"yes\"",
		"stdout: goated ignores a member of the tool \"number\": `description` must be a string; it is the number 5",
		"stdout: goated ignores a member of tool 3: `name` must be a string; it is the number 5",
		"stdout: goated ignores tool 4, which must be an object; it is the string \"none\"",
	} {
		if !slices.Contains(s.Stderr, want) {
			t.Errorf("the log lacks %q: %q", want, s.Stderr)
		}
	}
	if _, err := h.Call(t.Context(), "wrong__one", nil, nil); err != nil {
		t.Error(err)
	}
}

// A handshake that violates MCP was reported in terms of this program's Go types, or as a
// missing answer.
func TestWrongHandshakeIsExplainedInWordsOfMCP(t *testing.T) {
	t.Parallel()
	const rest = `"protocolVersion":"2025-06-18","serverInfo":{"name":"w","version":"1"}`
	for name, tt := range map[string]struct{ method, instead, want string }{
		"a string id":  {"initialize", `{"jsonrpc":"2.0","id":"ID","result":{"capabilities":{},` + rest + `}}`, "a string, where goated sent the number."},
		"another id":   {"initialize", `{"jsonrpc":"2.0","id":77,"result":{"capabilities":{},` + rest + `}}`, "the server answered with the id 77, which no open request of goated has."},
		"capabilities": {"initialize", `{"jsonrpc":"2.0","id":ID,"result":{"capabilities":{"tools":true},` + rest + `}}`, "Its answer breaks the rules of MCP: `capabilities.tools` must be an object such as {}; it is true."},
		"tools":        {"tools/list", `{"jsonrpc":"2.0","id":ID,"result":{"tools":{"echo":{}}}}`, "Its answer breaks the rules of MCP: `tools` must be a list of tools; it is an object."},
		"framing":      {"initialize", "Content-Length: 10\r\n\r\n{}", "the server uses the framing of LSP, with a Content-Length before each message; MCP sends one JSON message per line."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patiently(t, func(limit time.Duration) error {
				_, err := wrong(t, client.Options{Timeouts: client.Timeouts{Connect: limit}}, tt.method, tt.instead)
				if why := wording.ReasonText(err); !strings.HasSuffix(why, tt.want) {
					return fmt.Errorf("%w: %s", err, why)
				}
				return nil
			})
		})
	}
}
