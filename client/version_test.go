//go:build unix

package client_test

import (
	"testing"

	"goated/client"
	"goated/internal/wording"
)

// goated reported that a server breaks the protocol if it supports only versions of MCP that
// goated does not know.
func TestServersWithOtherVersions(t *testing.T) {
	t.Parallel()
	const newer, older = "Update goated, or use an older version of the server.", "Use a newer version of the server."
	const ours = ". This goated speaks MCP 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05."
	greeting := func(version string) string {
		return `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}}`
	}
	refusal := func(data string) string {
		return `{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Unsupported protocol version","data":` + data + `}}`
	}
	for name, tt := range map[string]struct{ instead, why, advice string }{
		"newer":                {greeting("2099-01-01"), "It speaks MCP 2099-01-01" + ours, newer},
		"older":                {greeting("2024-10-07"), "It speaks MCP 2024-10-07" + ours, older},
		"a draft":              {greeting("DRAFT-2025-v3"), "It speaks MCP DRAFT-2025-v3" + ours, older},
		"refused":              {refusal(`{"supported":["2024-10-07","2024-09-01"]}`), "It speaks MCP 2024-10-07, 2024-09-01" + ours, older},
		"refused for a newer":  {refusal(`{"supported":["2099-01-01"]}`), "It speaks MCP 2099-01-01" + ours, newer},
		"refused for the same": {refusal(`{"supported":["2026-07-28"]}`), "It refused to connect: Unsupported protocol version.", ""},
		"refused without data": {refusal(`"old"`), "It refused to connect: Unsupported protocol version.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wrong(t, client.Options{}, "initialize", tt.instead)
			if got := wording.ReasonText(err); got != tt.why {
				t.Errorf("%v: %q, want %q", err, got, tt.why)
			}
			if got := wording.Advice(err); tt.advice != "" && got != tt.advice {
				t.Errorf("the advice is %q, want %q", got, tt.advice)
			}
		})
	}
}

// If a server rejects the newest version and names an older one, goated did not use that
// version, although the example in MCP does.
func TestGreetingWithAVersionThatTheServerNames(t *testing.T) {
	t.Parallel()
	h, err := wrong(t, client.Options{}, "speaks", "2024-11-05")
	if err != nil {
		t.Fatal(err, wording.ReasonText(err))
	}
	if _, err := h.Call(t.Context(), "wrong__one", nil, nil); err != nil {
		t.Error(err)
	}
}
