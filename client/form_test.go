//go:build unix

package client_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// The SDK left out the content of a form that the user accepted without values, and the Python
// SDK refused such an answer.
func TestAFormWithoutValuesIsAccepted(t *testing.T) {
	servertest.UsePython(t)
	h := host(t, client.Options{Elicit: func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
	}})
	id := connect(t, h, client.Config{Path: "testdata/asks.py", NoSandbox: true})
	r, err := h.Call(t.Context(), id+"__cancel", nil, nil)
	if err != nil || said(t, r) != "accept" {
		t.Errorf("the call returns %+v, %v", r, err)
	}
}
