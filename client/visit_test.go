//go:build unix

package client_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// goated did not declare that its user can open pages, so servers with the official SDK did not
// ask. A call that the server refuses until the user has visited a page is sent again
// afterwards.
func TestServerAsksToOpenAPage(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	answer := "accept"
	h := host(t, client.Options{Env: servertest.Environ(t), Elicit: func(_ context.Context, _ client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		asked.Add(1)
		if p.Mode != "url" || p.URL != "https://example.com/sign-in" || p.Message != "Sign in" {
			t.Errorf("it asks %+v", p)
		}
		return &mcp.ElicitResult{Action: answer}, nil
	}})
	id := connect(t, h, client.Config{Path: servertest.Script("visits.js")})
	for tool, want := range map[string]string{"asks": "accept", "refuses": "signed in"} {
		r, err := h.Call(t.Context(), id+"__"+tool, nil, nil)
		if err != nil || said(t, r) != want {
			t.Errorf("%s gives %v, %v", tool, r, err)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("%d questions", n)
	}
	answer = "decline"
	_, err := h.Call(t.Context(), id+"__never", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "Sign in first") || !strings.Contains(err.Error(), "did not open") || strings.Contains(err.Error(), "https://") {
		t.Errorf("after a refusal of the user, the call says %v", err)
	}
}

// If nobody can answer, the server knows this, and its refusal names the page.
func TestNobodyOpensAPage(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.Environ(t)})
	id := connect(t, h, client.Config{Path: servertest.Script("visits.js")})
	for tool, want := range map[string]string{"asks": "Client does not support url elicitation", "never": "Sign in first. Open https://example.com/sign-in (Sign in)"} {
		if _, err := h.Call(t.Context(), id+"__"+tool, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", tool, err)
		}
	}
}
