//go:build unix

package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client"
	"goated/internal/wording"
)

// The SDK mistook a server's own use of two error codes for the end of the connection. The
// server's message was lost, and goated advised the user to repeat the call.
func TestCodesOfAClosingConnectionAreOfTheServer(t *testing.T) {
	t.Parallel()
	for _, code := range []int{-32003, -32004} {
		for name, status := range map[string]int{"an answer": http.StatusOK, "an HTTP error": http.StatusBadRequest} {
			h := host(t, client.Options{})
			id := connect(t, h, client.Config{URL: bareURL(t, func(w http.ResponseWriter, id any) {
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"record 17 is locked by Ann"}}`, id, code)
			})})
			_, err := h.Call(t.Context(), id+"__one", nil, nil)
			var wire *jsonrpc.Error
			if !errors.Is(err, client.ErrTool) || err.Error() != "Tool execution failed: record 17 is locked by Ann" || !errors.As(err, &wire) || wire.Code != int64(code) {
				t.Errorf("%s with %d: the call says %v", name, code, err)
			}
		}
		failure := fmt.Sprintf(`{"jsonrpc":"2.0","id":ID,"error":{"code":%d,"message":"licence expired, run foo renew"}}`, code)
		for method, want := range map[string]string{
			"initialize": "It refused to connect: licence expired, run foo renew.",
			"tools/list": "It answered tools/list with an error: licence expired, run foo renew.",
		} {
			if _, err := wrong(t, client.Options{}, method, failure); wording.ReasonText(err) != want {
				t.Errorf("%s with %d: %v: %q", method, code, err, wording.ReasonText(err))
			}
		}
		if _, err := callWrong(t, 0, failure); err == nil || !strings.Contains(err.Error(), "licence expired") {
			t.Errorf("tools/call with %d: %v", code, err)
		}
		h, err := wrong(t, client.Options{}, "prompts/get", failure)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.GetPrompt(t.Context(), "wrong", "p", nil); !errors.Is(err, client.ErrProtocol) || !strings.Contains(err.Error(), "licence expired") {
			t.Errorf("prompts/get with %d: %v", code, err)
		}
	}
}
