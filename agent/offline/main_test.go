package offline

import (
	"iter"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

func TestMain(m *testing.M) {
	// A dependency of genai starts a worker when it is loaded.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

// declare returns the declarations of the tools that can be declared.
func declare(tools iter.Seq[registry.Entry]) []*genai.FunctionDeclaration {
	var all []*genai.FunctionDeclaration
	for e := range tools {
		if d := agent.Declare(e); d.Function != nil {
			all = append(all, d.Function)
		}
	}
	return all
}
