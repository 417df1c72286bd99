//go:build unix

package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

func TestResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Everything(), Name: "everything"})
	resources, err := h.Resources(t.Context(), id)
	if err != nil || len(resources) == 0 {
		t.Fatalf("%d resources, %v", len(resources), err)
	}
	read, err := h.ReadResource(t.Context(), id, resources[0].URI)
	if err != nil || len(read.Contents) == 0 || read.Contents[0].Text == "" && len(read.Contents[0].Blob) == 0 {
		t.Fatalf("%s reads %+v, %v", resources[0].URI, read, err)
	}
	prompts, err := h.Prompts(t.Context(), id)
	if err != nil || len(prompts) == 0 {
		t.Fatalf("%d prompts, %v", len(prompts), err)
	}
	args := map[string]string{}
	for _, a := range prompts[0].Arguments {
		args[a.Name] = "Lisbon"
	}
	got, err := h.GetPrompt(t.Context(), id, prompts[0].Name, args)
	if err != nil || len(got.Messages) == 0 {
		t.Fatalf("%s gives %+v, %v", prompts[0].Name, got, err)
	}
	if _, ok := got.Messages[0].Content.(*mcp.TextContent); !ok {
		t.Errorf("its message is %T", got.Messages[0].Content)
	}
	if _, err := h.ReadResource(t.Context(), id, "demo://nothing/here"); !errors.Is(err, client.ErrProtocol) {
		t.Errorf("a resource that is not there: %v", err)
	}
	if _, err := h.Prompts(t.Context(), "nobody"); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestServerWithoutResourcesHasNone(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Dice()})
	if r, err := h.Resources(t.Context(), id); err != nil || len(r) != 0 {
		t.Errorf("%d resources, %v", len(r), err)
	}
	if p, err := h.Prompts(t.Context(), id); err != nil || len(p) != 0 {
		t.Errorf("%d prompts, %v", len(p), err)
	}
}

func TestEnvironmentReportsSetVariables(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Dice(), Env: []string{"DICE_TOKEN=s3cret", "HOME=/elsewhere"}})
	var names []string
	for _, v := range h.Environment(id) {
		names = append(names, v.Name)
		if set := v.Name == "DICE_TOKEN" || v.Name == "HOME"; v.Set != set {
			t.Errorf("%s: set is %t", v.Name, v.Set)
		}
	}
	all := strings.Join(names, " ")
	if !strings.Contains(all, "DICE_TOKEN") || !strings.Contains(all, "PATH") || strings.Count(" "+all+" ", " HOME ") != 1 {
		t.Errorf("the environment is %s", all)
	}
	if h.Environment("nobody") != nil {
		t.Error("nobody has an environment")
	}
}
