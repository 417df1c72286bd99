package llmem

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"goated/internal/servertest"
)

// TestMain lets the test program be the server over stdio: "serve ROOT DATA".
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		err := New(Options{Root: os.Args[2], Data: os.Args[3]}).Run(context.Background(), &mcp.StdioTransport{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// shop is a workspace with known line numbers.
var shop = map[string]string{
	"cart/cart.go": "package cart\n\n// Cart holds items.\ntype Cart struct {\n\titems []string\n}\n\n// Add puts an item into the cart.\nfunc (c *Cart) Add(item string) {\n\tc.items = append(c.items, item)\n}\n",
	"go.mod":       "module shop\n",
	"main.go":      "package main\n\nimport \"shop/cart\"\n\nfunc main() {\n\tvar c cart.Cart\n\tc.Add(\"tea\")\n}\n",
	"price.py":     "import math\n\n\ndef total(prices):\n    \"\"\"Adds prices.\"\"\"\n    return math.fsum(prices)\n",
}

// The official clients call every tool over stdio, with both eras of the protocol. They check each
// answer against its output schema, and the test checks the content.
func TestOfficialClients(t *testing.T) {
	t.Parallel()
	for _, client := range servertest.OfficialClients() {
		t.Run(client.Name, func(t *testing.T) {
			t.Parallel()
			var visits []servertest.Visit
			for _, era := range client.Eras {
				dir := t.TempDir()
				for name, text := range shop {
					file := filepath.Join(dir, filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				visits = append(visits, servertest.Visit{Era: era, Drives: []servertest.Drive{{Steps: contractSteps()}}, Args: []string{dir, servertest.LLMemData(t)}})
			}
			for i, got := range client.Run(t, visits, os.Args[0], "serve") {
				t.Run(client.Eras[i].Protocol, func(t *testing.T) { checkContract(t, got[0]) })
			}
		})
	}
}

// checkContract checks what a client received for contractSteps.
func checkContract(t *testing.T, got servertest.Driven) {
	t.Helper()
	called := make(map[string]bool)
	for i, want := range contractWants {
		r := got.Calls[i]
		called[r.Tool] = true
		if text := fmt.Sprintf("%s %v %v", r.Tool, r.Structured["status"], r.IsError); text != want.outcome {
			t.Errorf("call %d: %s, want %s: %v", i, text, want.outcome, r.Structured)
		}
		for path, value := range want.values {
			if have := fmt.Sprint(at(r.Structured, path)); have != value {
				t.Errorf("call %d, %s: %s is %q, want %q", i, r.Tool, path, have, value)
			}
		}
		for path, part := range want.parts {
			if have := fmt.Sprint(at(r.Structured, path)); !strings.Contains(have, part) {
				t.Errorf("call %d, %s: %s is %q, want %q in it", i, r.Tool, path, have, part)
			}
		}
	}
	for _, tool := range tools() {
		has, ok := got.Tools[tool.Name]
		if !ok || has.Reads != tool.Annotations.ReadOnlyHint || !has.Output || has.Title == "" {
			t.Errorf("%s is listed as %+v", tool.Name, has)
		}
		if !called[tool.Name] {
			t.Errorf("no client calls %s", tool.Name)
		}
	}
	if len(got.Tools) != len(tools()) {
		t.Errorf("tools %v", got.Tools)
	}
}

// at returns a value inside JSON, for example at data.symbols.0.name.
func at(v any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

func contractSteps() []servertest.Step {
	type args = map[string]any
	return []servertest.Step{
		{Tool: "map_workspace", Args: args{"query": "put an item into the cart"}},
		{Tool: "find_symbol", Args: args{"name": "Cart.Add", "references": true}},
		{Tool: "find_symbol", Args: args{"name": "total"}},
		{Tool: "get_artifact", Args: args{"path": "cart/cart.go"}},
		{Tool: "generate_artifact", Args: args{"path": "price.py", "task": "parse"}},
		{Tool: "generate_artifact", Args: args{"path": "price.py", "task": "annotate"}},
		{Callback: "- `total`: Sums up."},
		{Tool: "get_artifact", Args: args{"path": "price.py"}},
		{Tool: "generate_prompt", Args: args{"path": "price.py", "task": "document"}},
		{Callback: "# Prices"},
		{Tool: "list_artifacts", Args: args{"directory": "."}},
		{Tool: "delete_artifact", Args: args{"path": "price.py"}},
		{Tool: "list_artifacts"},
		{Tool: "get_artifact", Args: args{"path": "../x"}},
		{Tool: "get_artifact", Args: args{"path": "gone.py"}},
		{Tool: "find_symbol", Args: args{"name": " "}},
		{Tool: "generate_artifact", Args: args{"path": "price.py", "task": "paint"}},
		{Tool: "store_llm_result", Args: args{"path": "price.py"}},
		{Tool: "map_workspace", Args: args{"tokens": 1}},
		{Tool: "generate_prompt", Args: args{"path": "gone.py", "task": "document"}},
		{Tool: "list_artifacts", Args: args{"limit": 0}},
		{Tool: "delete_artifact", Args: args{"path": "gone.py"}},
	}
}

// contractWants are the expected results of contractSteps. The lines are those of shop.
var contractWants = []struct {
	outcome string
	values  map[string]string // by path in the structured content
	parts   map[string]string // of texts
}{
	{"map_workspace success false", map[string]string{"data.coverage.files": "4"}, map[string]string{"data.map": "cart/cart.go:"}},
	{"find_symbol success false", map[string]string{
		"data.match": "exact", "data.definitions.0.path": "cart/cart.go", "data.definitions.0.kind": "method", "data.definitions.0.startLine": "9", "data.definitions.0.endLine": "11",
		"data.definitions.1": "<nil>", "data.references": "[map[lines:[8 9] path:cart/cart.go] map[lines:[7] path:main.go]]",
	}, nil},
	{"find_symbol success false", map[string]string{"data.definitions.0.path": "price.py", "data.definitions.0.startLine": "4", "data.definitions.0.endLine": "6"}, nil},
	{"get_artifact success false", map[string]string{
		"data.language": "go", "data.lines": "11", "data.symbols.0.name": "Cart", "data.symbols.0.startLine": "4", "data.symbols.0.endLine": "6",
		"data.symbols.1.name": "Add", "data.symbols.1.startLine": "9", "data.symbols.1.endLine": "11", "data.symbols.2": "<nil>", "data.usedBy": "[main.go]",
	}, map[string]string{"data.symbols.1.signature": "Add(item string)"}},
	{"generate_artifact success false", map[string]string{"data.symbols.0.startLine": "4", "data.symbols.0.endLine": "6"}, nil},
	{"generate_artifact prompt_ready false", map[string]string{"callbackTool": "store_llm_result", "callbackArgs.path": "price.py"}, map[string]string{"promptForHostLLM": "def total(prices):"}},
	{"store_llm_result success false", map[string]string{"data.stale": "false", "data.artifactPath": ".artifacts/price.py.annotate.md"}, nil},
	{"get_artifact success false", map[string]string{"data.symbols.0.note": "Sums up.", "data.symbols.0.startLine": "4"}, nil},
	{"generate_prompt prompt_ready false", nil, map[string]string{"promptForHostLLM": "math.fsum"}},
	{"store_llm_result success false", map[string]string{"data.artifactPath": ".artifacts/price.py.document.md"}, nil},
	{"list_artifacts success false", map[string]string{"data.total": "3", "data.artifacts.0.sourcePath": "price.py", "data.artifacts.0.stale": "false"}, nil},
	{"delete_artifact success false", map[string]string{"data.deleted.2": ".artifacts/price.py.document.md", "data.deleted.3": "<nil>"}, map[string]string{"data.deleted": ".artifacts/price.py.annotate.md"}},
	{"list_artifacts success false", map[string]string{"data.total": "0"}, nil},
	{"get_artifact error true", map[string]string{"code": "-32602", "reason": "outside_workspace"}, nil},
	{"get_artifact error true", map[string]string{"code": "-32002", "reason": "not_found"}, nil},
	{"find_symbol error true", map[string]string{"code": "-32602", "reason": "invalid_argument"}, nil},
	{"generate_artifact error true", map[string]string{"code": "-32602"}, nil},
	{"store_llm_result error true", map[string]string{"code": "-32602"}, nil},
	{"map_workspace error true", map[string]string{"code": "-32602"}, nil},
	{"generate_prompt error true", map[string]string{"code": "-32002"}, nil},
	{"list_artifacts error true", map[string]string{"code": "-32602"}, nil},
	{"delete_artifact error true", map[string]string{"code": "-32002"}, nil},
}
