package llmem

import (
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/llmem/prompt"
)

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func texts(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: description}
}

func choice(description string, values ...string) *jsonschema.Schema {
	s := text(description)
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return s
}

func number(description string, low, high float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Description: description, Minimum: &low, Maximum: &high}
}

func flag(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: description}
}

func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Required: required, Properties: properties}
}

// closed returns the schema of an object that a model writes. It refuses unknown members. Otherwise
// a call with a misspelled filter would get the answer of a call without the filter.
func closed(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	s := object(required, properties)
	s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	return s
}

// answers lists the data types with which each tool answers.
var answers = map[string][]any{
	"get_artifact":      {fileAnswer{}, folderAnswer{}},
	"list_artifacts":    {artifactList{}},
	"generate_artifact": {promptAnswer{}, chainEnd{}, fileAnswer{}, parsedFolder{}},
	"generate_prompt":   {promptAnswer{}},
	"store_llm_result":  {storedArtifact{}, promptAnswer{}, chainEnd{}},
	"delete_artifact":   {deleted{}},
	"map_workspace":     {mapAnswer{}},
	"find_symbol":       {findAnswer{}},
}

// dataSchema returns the schema of a tool's data, built from the types of its answers.
func dataSchema(tool string) *jsonschema.Schema {
	var forms []*jsonschema.Schema
	for _, value := range answers[tool] {
		s, err := jsonschema.ForType(reflect.TypeOf(value), nil)
		if err != nil {
			panic(err) // the types are constant
		}
		forms = append(forms, s)
	}
	if len(forms) == 1 {
		forms[0].Description = "The answer"
		return forms[0]
	}
	return &jsonschema.Schema{Type: "object", Description: "The answer, in one of these forms", AnyOf: forms}
}

// envelopeSchema returns the output schema of a tool.
func envelopeSchema(tool string) *jsonschema.Schema {
	return object([]string{"status"}, map[string]*jsonschema.Schema{
		"status":           choice("success, error, or prompt_ready: the host's model has to run promptForHostLLM", statusSuccess, statusError, statusPromptReady),
		"data":             dataSchema(tool),
		"error":            text("What went wrong, with status error"),
		"code":             {Type: "integer", Description: "The code of the error: -32602 invalid argument, -32002 not found, -32603 internal"},
		"reason":           text("The error for programs, such as outside_workspace"),
		"nextAction":       text("What to do next"),
		"promptForHostLLM": text("With prompt_ready: run this prompt with your own model, without tools"),
		"callbackTool":     text("With prompt_ready: the tool to call afterwards"),
		"callbackArgs":     {Type: "object", Description: "With prompt_ready: the arguments for callbackTool. Add the answer of the model as result"},
	})
}

func reads(title string) *mcp.ToolAnnotations {
	closed := false
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}
}

// writes annotates a tool that changes .artifacts. It is destructive only if it deletes.
func writes(title string, deletes bool) *mcp.ToolAnnotations {
	closed := false
	return &mcp.ToolAnnotations{Title: title, DestructiveHint: &deletes, IdempotentHint: true, OpenWorldHint: &closed}
}

const pathText = "Path of a source file or folder, relative to the workspace"

// tools returns the tool definitions: the five of seed 001 with its schemas, delete_artifact, which
// the seed mentions, and two new ones. Each has a separate output schema, because the SDK resolves
// it in place.
func tools() []*mcp.Tool {
	list := slices.Concat(artifactTools(), codeTools())
	for _, t := range list {
		t.OutputSchema = envelopeSchema(t.Name)
	}
	return list
}

// artifactTools returns the tools that read and write the artifacts.
func artifactTools() []*mcp.Tool {
	return []*mcp.Tool{
		{
			Name: "get_artifact", Title: "Get an artifact", Annotations: reads("Get an artifact"),
			Description: "Get the structure of a source file: its functions, methods, classes and types with signatures, comments and current line ranges, its imports and the files that import it, " +
				"and what was stored about it (summary, notes). Much shorter than the file. A path of a folder gives its summary and its files. Stored texts that are older than the file are marked stale.",
			InputSchema: closed([]string{"path"}, map[string]*jsonschema.Schema{
				"path": text("Path of a source file or folder, the id of an artifact, or the path of an artifact"),
				"type": text("Only the stored artifact of this type, such as summarize"),
			}),
		},
		{
			Name: "list_artifacts", Title: "List artifacts", Annotations: reads("List artifacts"),
			Description: "List the stored artifacts, with their types and whether their source has changed since.",
			InputSchema: closed(nil, map[string]*jsonschema.Schema{
				"directory": text("Filter by directory: only artifacts of sources in it, at any depth"),
				"type":      text("Filter by artifact type: mirror, annotate, summarize, document, test-plan or your own"),
				"limit":     number("How many to list (default 100)", 1, 1000),
				"cursor":    text("nextCursor of the page before"),
			}),
		},
		{
			Name: "generate_artifact", Title: "Generate an artifact", Annotations: writes("Generate an artifact", false),
			Description: "Create an artifact of a file or folder. parse stores its outline and needs no model. annotate describes each symbol, summarize the whole; " +
				"both return prompt_ready: run promptForHostLLM with your model, then call callbackTool with callbackArgs and the answer as result. Summaries of folders go from the deepest folder up, one prompt at a time.",
			InputSchema: closed([]string{"path", "task"}, map[string]*jsonschema.Schema{
				"path": text(pathText),
				"task": choice("Task type", taskParse, prompt.Annotate, prompt.Summarize),
				"options": closed(nil, map[string]*jsonschema.Schema{
					"focusOn": texts("Names of the symbols to work on; all without it"),
				}),
			}),
		},
		{
			Name: "generate_prompt", Title: "Generate a prompt", Annotations: reads("Generate a prompt"),
			Description: "Get a prompt about a file for your own model. Returns prompt_ready: run promptForHostLLM, then call callbackTool with callbackArgs and the answer as result.",
			InputSchema: closed([]string{"path", "task"}, map[string]*jsonschema.Schema{
				"path": text(pathText),
				"task": choice("What the prompt asks for", prompt.Tasks()...),
			}),
		},
		{
			Name: "store_llm_result", Title: "Store a result", Annotations: writes("Store a result", false),
			Description: "Store what a model wrote about a file or folder. It replaces the artifact of the same task.",
			InputSchema: closed([]string{"path", "task", "result"}, map[string]*jsonschema.Schema{
				"path":   text(pathText),
				"task":   text("Task that generated this result"),
				"result": text("LLM output to store"),
				"ticket": text("The ticket of callbackArgs, unchanged: it says which state of the file the result is about"),
			}),
		},
		{
			Name: "delete_artifact", Title: "Delete artifacts", Annotations: writes("Delete artifacts", true),
			Description: "Delete stored artifacts. The source files stay as they are.",
			InputSchema: closed([]string{"path"}, map[string]*jsonschema.Schema{
				"path":      text("Path of a source file or folder, the id of an artifact, or the path of an artifact"),
				"type":      text("Only artifacts of this type"),
				"recursive": flag("With a folder: also the artifacts of everything in it"),
			}),
		},
	}
}

// codeTools returns the tools that read the workspace's code.
func codeTools() []*mcp.Tool {
	return []*mcp.Tool{
		{
			Name: "map_workspace", Title: "Map the workspace", Annotations: reads("Map the workspace"),
			Description: "Get the most important definitions of the workspace with signatures and line ranges, ranked by how much other files use them, within a budget of tokens. " +
				"With query, the definitions that answer a question in plain words. Use it first, before you read or search files.",
			InputSchema: closed(nil, map[string]*jsonschema.Schema{
				"query":   text("A question in plain words, such as: where are retries counted"),
				"focusOn": texts("Files, folders or symbols to rank from"),
				"tokens":  number("Budget of tokens for the map (default 1000)", 100, 20000),
			}),
		},
		{
			Name: "find_symbol", Title: "Find a symbol", Annotations: reads("Find a symbol"),
			Description: "Find where a function, method, class or type is defined, with its exact current lines, and on request where it is used. Better than a text search.",
			InputSchema: closed([]string{"name"}, map[string]*jsonschema.Schema{
				"name":       text("The name, with its parent if you know it: Queue.Add"),
				"kind":       text("Only this kind: function, method, class, struct, interface, type …"),
				"directory":  text("Only definitions in this directory"),
				"references": flag("Also list the files and lines that use the name"),
				"limit":      number("How many definitions to list (default 20)", 1, 200),
			}),
		},
	}
}
