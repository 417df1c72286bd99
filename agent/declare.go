package agent

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/schema"
	"goated/internal/exact"
	"goated/internal/schemacheck"
	"goated/internal/truncate"
	"goated/registry"
)

// maxDescription limits the description of a tool that goes to the model, in bytes.
const maxDescription = 4096

// A Declaration describes a tool to the model.
type Declaration struct {
	// Function is the declaration that the model receives. It is nil if Err is set.
	Function *genai.FunctionDeclaration
	// Changes are the differences between the tool's schema and the declared one.
	Changes []schema.Change
	// Tokens estimates how many tokens the tool adds to each request: one token for 4 bytes.
	Tokens int
	// Err is the reason why the tool cannot be declared.
	Err error
}

// Declare returns the declaration of a tool. The result may share memory with the tool.
func Declare(e registry.Entry) Declaration {
	translated, err := schema.Translate(e.Tool.InputSchema)
	if err != nil {
		return Declaration{Err: err}
	}
	description := e.Tool.Description
	if description == "" {
		description = e.Tool.Title
	}
	description = strings.ToValidUTF8(description, "\uFFFD")
	if len(description) > maxDescription {
		description = strings.ToValidUTF8(description[:maxDescription], "") + "…"
	}
	return Declaration{
		Function: &genai.FunctionDeclaration{Name: e.Name, Description: description, ParametersJsonSchema: translated.Schema},
		Changes:  translated.Changes,
		Tokens:   (len(e.Name)+len(description)+translated.Bytes)/4 + 12, // 12: the JSON keys around them
	}
}

// declarations holds the declarations of a session's tools. It translates each tool once, and makes
// a new list only if the tools change. The requests of a conversation then begin with the same
// bytes, which providers cache. It is not safe for concurrent use, except for check.
type declarations struct {
	entries    []registry.Entry
	known      map[*mcp.Tool]*declaredTool
	refused    map[*mcp.Tool]string // tools that the service refused, with its error message
	kept       map[*mcp.Tool]string // the refused tools that a Quarantine remembers
	unreported []ToolQuarantined    // for the user
	bare       bool                 // the model accepts no functions at all
	tools      []*genai.Tool        // nil: list builds it
	hasStored  bool                 // tools includes the functions for results
	finder     *finder              // nil: all tools are declared
	most       int                  // limit of the tokens of all declarations; 0: none
	cost       int                  // tokens of tools
	mu         sync.Mutex           // guards known and unreported
	finding    sync.Mutex           // guards finder while calls run
}

// A declaredTool is the declaration of a tool with the checker of its arguments.
type declaredTool struct {
	Declaration
	checker func() *schemacheck.Checker // compiles the original schema once
}

// refresh updates the declarations to the tools that are connected now. most limits their tokens.
func (ds *declarations) refresh(tools iter.Seq[registry.Entry], pinned []string, most int) {
	if ds.unchanged(tools) && ds.most == most {
		return
	}
	ds.most = most
	before := ds.known
	ds.entries, ds.known, ds.tools = ds.entries[:0:0], make(map[*mcp.Tool]*declaredTool), nil
	present := make(map[*mcp.Tool]bool)
	for e := range tools {
		ds.entries = append(ds.entries, e)
		present[e.Tool] = true
		if d := before[e.Tool]; d != nil && (d.Function == nil || d.Function.Name == e.Name) {
			ds.known[e.Tool] = d
		}
	}
	for t := range ds.refused {
		if !present[t] {
			delete(ds.refused, t)
		}
	}
	ds.finder = ds.finder.renew(ds, pinned)
}

// unchanged reports whether the tools are the same as at the last refresh.
func (ds *declarations) unchanged(tools iter.Seq[registry.Entry]) bool {
	if ds.known == nil {
		return false
	}
	i := 0
	for e := range tools {
		if i >= len(ds.entries) || ds.entries[i].Tool != e.Tool || ds.entries[i].Name != e.Name {
			return false
		}
		i++
	}
	return i == len(ds.entries)
}

// declared returns the declaration of a tool. It translates each tool once.
func (ds *declarations) declared(e registry.Entry) *declaredTool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.known[e.Tool]
	if d == nil {
		d = &declaredTool{Declaration: Declare(e), checker: sync.OnceValue(func() *schemacheck.Checker { return schemacheck.New(e.Tool.InputSchema) })}
		if d.Err != nil {
			ds.unreported = append(ds.unreported, ToolQuarantined{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Reason: d.Err.Error()})
		}
		if ds.known == nil {
			ds.known = make(map[*mcp.Tool]*declaredTool)
		}
		ds.known[e.Tool] = d
	}
	return d
}

// list returns the list of declarations. If stored is true, it includes the functions for stored
// results. It builds a new list only after a change.
func (ds *declarations) list(stored bool) []*genai.Tool {
	if ds.tools != nil && ds.hasStored == stored {
		return ds.tools
	}
	entries := ds.entries
	if ds.finder != nil {
		entries = ds.finder.active
	}
	var functions []*genai.FunctionDeclaration
	ds.cost = 0
	for _, e := range entries {
		if d := ds.declared(e); d.Function != nil && !ds.isExcluded(e) {
			functions, ds.cost = append(functions, d.Function), ds.cost+d.Tokens
		}
	}
	own := len(functions)
	if ds.finder != nil {
		functions = append(functions, finderFunction(len(ds.entries)))
	}
	if ds.hasStored = stored; stored {
		functions = append(functions, resultFunctions()...)
	}
	for _, f := range functions[own:] {
		ds.cost += (len(f.Name) + len(f.Description) + len(exact.String(f.ParametersJsonSchema))) / tokenSize
	}
	ds.tools = nil
	if ds.bare {
		ds.cost = 0
	}
	if len(functions) > 0 && !ds.bare {
		ds.tools = []*genai.Tool{{FunctionDeclarations: functions}}
	}
	return ds.tools
}

// functions returns the declarations of the last request.
func (ds *declarations) functions() []*genai.FunctionDeclaration {
	if len(ds.tools) == 0 {
		return nil
	}
	return ds.tools[0].FunctionDeclarations
}

// measure returns how many tools a request declares, how many servers they come from, and how many
// tokens they use.
func (ds *declarations) measure(stored bool) (tools, servers, tokens int) {
	if ds.list(stored); ds.bare {
		return 0, 0, 0
	}
	entries := ds.entries
	if ds.finder != nil {
		entries = ds.finder.active
	}
	of := make(map[string]bool)
	for _, e := range entries {
		if d := ds.declared(e); d.Function != nil && !ds.isExcluded(e) {
			tools, tokens = tools+1, tokens+d.Tokens
			of[e.Server] = true
		}
	}
	return tools, len(of), tokens
}

// An ArgumentError explains why arguments do not match the schema of their tool. The model gets its
// text, so that it can correct the call.
type ArgumentError struct {
	Tool string // qualified name
	Err  error
}

func (e *ArgumentError) Error() string {
	words := e.Err.Error() // it may quote an argument
	if len(words) > maxWords {
		words = strings.ToValidUTF8(words[:maxWords], "") + "…"
	}
	return fmt.Sprintf("The call did not run, because its arguments do not fit the tool's schema: %s. Correct the arguments and call the tool again.", words)
}

// maxWords limits the part of the text of an [ArgumentError] that describes the mismatch, in bytes.
const maxWords = 4000

// Unwrap returns [ArgumentsWrong], so that errors.As finds the refusal.
func (e *ArgumentError) Unwrap() error { return ArgumentsWrong }

// maxMismatch limits the checker's error message, in bytes. The message quotes the arguments.
const maxMismatch = 600

// check validates the arguments of a call against the original schema of its tool.
func (ds *declarations) check(e registry.Entry, args map[string]any) error {
	if err := ds.declared(e).checker().Check(args); err != nil {
		words := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "validating root: ", "")
		return &ArgumentError{Tool: e.Name, Err: errors.New(truncate.Bytes(words, maxMismatch))}
	}
	return nil
}
