package llmem

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/prompt"
	"goated/servers/llmem/rank"
)

// Limits of generate_artifact.
const (
	maxFolderFiles = 40 // files in the prompt of a folder
	maxFocus       = 50
)

// taskParse is the task that stores an outline without using a model.
const taskParse = "parse"

const runIt = "Run promptForHostLLM with your own model, without tools. Then call callbackTool with callbackArgs and the model's answer as result."

// A ticket records the state of the source that a result describes, and the position in its chain.
// It travels through the host, so only its internal consistency is trusted.
type ticket struct {
	Hash    string            `json:"h"`           // of the source when the prompt was created
	Prompt  string            `json:"p"`           // hash of the prompt
	Mtime   int64             `json:"m,omitempty"` // of the source
	Size    int64             `json:"s,omitempty"`
	Symbols map[string]string `json:"y,omitempty"`
	Focus   []string          `json:"f,omitempty"`
	Root    string            `json:"r,omitempty"` // the folder for which the chain writes a summary
	Step    int               `json:"n,omitempty"`
	Steps   int               `json:"k,omitempty"`
}

func (t ticket) String() string {
	data, err := json.Marshal(t)
	if err != nil {
		return "" // a ticket consists of plain types
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func readTicket(s string) (t ticket, err error) {
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil {
		return ticket{}, invalid("ticket is not the ticket of a prompt. Pass it as it came, or leave it out")
	}
	return t, nil
}

func generateArtifact(ctx context.Context, c *call) (envelope, error) {
	var args struct {
		Path, Task string
		Options    struct{ FocusOn []string }
	}
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	focus := args.Options.FocusOn
	if len(focus) > maxFocus {
		return envelope{}, invalid(fmt.Sprintf("options.focusOn names %d symbols, the limit is %d", len(focus), maxFocus))
	}
	src, err := c.read(ctx, args.Path)
	if err != nil {
		return envelope{}, err
	}
	switch {
	case args.Task == taskParse && src.folder:
		return c.parseFolder(ctx, src, focus)
	case args.Task == taskParse:
		return c.parseFile(ctx, src, focus)
	case src.folder && args.Task == prompt.Summarize:
		return c.folderStep(ctx, src.path, focus, 1, 0)
	case src.folder:
		return envelope{}, invalid(fmt.Sprintf("%s is a folder. Use the task summarize, or a path of a file", src.path))
	}
	return c.promptFor(src, args.Task, focus)
}

func generatePrompt(ctx context.Context, c *call) (envelope, error) {
	var args struct{ Path, Task string }
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	src, err := c.read(ctx, args.Path)
	if err != nil {
		return envelope{}, err
	}
	if src.folder {
		if args.Task != prompt.Summarize {
			return envelope{}, invalid(fmt.Sprintf("%s is a folder. Use the task summarize, or a path of a file", src.path))
		}
		files, _, err := c.ws.Files(ctx)
		if err != nil {
			return envelope{}, err
		}
		if len(sourcesIn(files, src.path)) == 0 {
			return envelope{}, noSources(src.path)
		}
		return c.folderPrompt(ctx, src.path, ticket{})
	}
	return c.promptFor(src, args.Task, nil)
}

// promptFor returns the prompt for a file.
func (c *call) promptFor(src *source, task string, focus []string) (envelope, error) {
	if src.outline == nil && outline.IsBinary(src.data) {
		return envelope{}, fmt.Errorf("%s: %w", src.path, outline.ErrBinary)
	}
	missing := missingFocus(src, focus)
	if len(focus) > 0 && len(missing) == len(focus) && src.outline != nil {
		return envelope{}, &failure{codeNotFound, "not_found", fmt.Sprintf("%s defines none of %s", src.path, strings.Join(focus, ", ")), "Call get_artifact to see which symbols the file defines."}
	}
	text := prompt.ForFile(task, prompt.File{Path: src.path, Source: string(src.data), Outline: src.outline, FocusOn: focus})
	t := ticket{Hash: src.hash, Mtime: src.mtime, Size: src.size, Symbols: src.symbolHashes(), Focus: focus, Step: 1, Steps: 1}
	e := promptEnvelope(src.path, task, text, t)
	if data, ok := e.Data.(*promptAnswer); ok {
		data.NotFound = missing
	}
	c.step, c.steps = 1, 1
	return e, nil
}

// A promptAnswer is the data of an answer with a prompt.
type promptAnswer struct {
	Path         string          `json:"path"`
	Task         string          `json:"task"`
	PromptHash   string          `json:"promptHash"`
	PromptTokens int             `json:"promptTokens" jsonschema:"about how many tokens promptForHostLLM has"`
	Step         int             `json:"step" jsonschema:"which prompt of the chain this is"`
	Steps        int             `json:"steps" jsonschema:"how many prompts the chain has at most"`
	NotFound     []string        `json:"notFound,omitempty" jsonschema:"names of focusOn that the file does not define"`
	Stored       *storedArtifact `json:"stored,omitempty" jsonschema:"the result of the step before, as it is stored"`
}

// promptEnvelope returns the envelope with a prompt.
func promptEnvelope(p, task, text string, t ticket) envelope {
	t.Prompt = artifact.Hash([]byte(text))
	return envelope{
		Status:     statusPromptReady,
		Data:       &promptAnswer{Path: p, Task: task, PromptHash: t.Prompt, PromptTokens: rank.Tokens(text), Step: t.Step, Steps: t.Steps},
		NextAction: runIt, PromptForHostLLM: text, CallbackTool: "store_llm_result",
		CallbackArgs: map[string]any{"path": p, "task": task, "ticket": t.String()},
	}
}

// missingFocus returns the names that a file does not define.
func missingFocus(src *source, focus []string) (missing []string) {
	for _, f := range focus {
		if src.outline == nil || !slices.ContainsFunc(src.outline.Symbols, func(y outline.Symbol) bool { return prompt.InFocus(y, []string{f}) }) {
			missing = append(missing, f)
		}
	}
	return missing
}
