package toolcall

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A busy server gets the request again with its state, after growing pauses, but not forever.
func TestRetryBusy(t *testing.T) {
	for _, c := range []struct {
		name  string
		busy  int // the number of first responses that only ask for the request again
		fails string
		took  time.Duration
	}{
		{"not busy", 0, "", 0},
		{"busy once", 1, "", 500 * time.Millisecond},
		{"busy for long", 5, "", 15500 * time.Millisecond},
		{"always busy", 100, "the server is too busy: it asked goated 6 times", 15500 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			began, sent := time.Now(), 0
			params := &mcp.CallToolParams{Name: "x"}
			result, err := RetryBusy(func(context.Context, string, mcp.Request) (mcp.Result, error) {
				if sent++; sent > 1 && params.RequestState != "zz" {
					t.Errorf("%s: the request has the state %q", c.name, params.RequestState)
				}
				answer := `{"content":[{"type":"text","text":"done"}]}`
				if sent <= c.busy {
					answer = `{"resultType":"input_required","requestState":"zz"}`
				}
				r := new(mcp.CallToolResult)
				return r, json.Unmarshal([]byte(answer), r)
			})(t.Context(), "tools/call", &mcp.ClientRequest[*mcp.CallToolParams]{Params: params})
			if c.fails != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.fails) {
					t.Errorf("%s: %v", c.name, err)
				}
			} else if r, ok := result.(*mcp.CallToolResult); err != nil || !ok || len(r.Content) != 1 {
				t.Errorf("%s: %+v, %v", c.name, result, err)
			}
			if took := time.Since(began); took != c.took {
				t.Errorf("%s: it took %v, not %v", c.name, took, c.took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := RetryBusy(func(context.Context, string, mcp.Request) (mcp.Result, error) {
			r := new(mcp.ReadResourceResult)
			return r, json.Unmarshal([]byte(`{"resultType":"input_required","contents":[]}`), r)
		})(ctx, "resources/read", &mcp.ClientRequest[*mcp.ReadResourceParams]{Params: &mcp.ReadResourceParams{}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a cancelled request says %v", err)
		}
	})
}
