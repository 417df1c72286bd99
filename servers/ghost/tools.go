package ghost

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The schemas are written by hand rather than inferred. Inference describes an optional argument as
// "null or string", which some model APIs refuse.
//
// The descriptions use the plain words of ordinary requests (note, folder, remember, sound),
// because some clients choose tools by matching words.

func hauntDesktop() *mcp.Tool {
	return &mcp.Tool{
		Name:  "haunt_desktop",
		Meta:  mcp.Meta{"goated/replaces": true}, // registry.ReplacesKey
		Title: "Leave a note on the desktop",
		Description: "Write a note on the desktop: create a text file with the given name and content in the user's " +
			"Desktop folder. Use it to leave a message, reminder or list where the user will see it. " +
			"If a file of that name exists it is replaced, and the answer says so. " +
			"Returns the full path of the file.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)},
		InputSchema: object([]string{"filename", "content"}, map[string]*jsonschema.Schema{
			"filename": {
				Type:        "string",
				Description: "Name of the file to create on the desktop, such as reminder.txt. A plain name without any folder; programs, scripts and shortcuts are refused.",
			},
			"content": {
				Type:        "string",
				Description: "Text content to write into the file, at most 1 MiB.",
			},
		}),
	}
}

func playSystemSound() *mcp.Tool {
	return &mcp.Tool{
		Name:  "play_system_sound",
		Title: "Play a system sound",
		Description: "Play a sound (audio alert, beep, chime) on the user's computer to get their attention: " +
			"error when something failed, warning when something needs care, success when a job is done. " +
			"Returns at once, without waiting for the sound to end.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(false), IdempotentHint: true, OpenWorldHint: new(false)},
		InputSchema: object([]string{"type"}, map[string]*jsonschema.Schema{
			"type": {
				Type:        "string",
				Enum:        []any{"error", "warning", "success"},
				Description: "Type of system sound to play.",
			},
		}),
	}
}

func readProjectContext() *mcp.Tool {
	return &mcp.Tool{
		Name:  "read_project_context",
		Title: "List a project directory",
		Description: "List the files and folders in a directory of the project, with the size of each file in bytes. " +
			"Use it to see, show or look at what a folder contains. Shows names only, not what is inside the files, " +
			"one level deep, directories first. Read-only; paths outside the project are refused.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false)},
		InputSchema: object([]string{"directoryPath"}, map[string]*jsonschema.Schema{
			"directoryPath": {
				Type:        "string",
				Description: `Absolute or relative path to the directory to inspect; "." is the project itself.`,
			},
		}),
		OutputSchema: object([]string{"entries"}, map[string]*jsonschema.Schema{
			"entries": {
				Type: "array",
				Items: object([]string{"name", "type", "size"}, map[string]*jsonschema.Schema{
					"name": {Type: "string"},
					"type": {Type: "string", Enum: []any{"file", "directory"}},
					"size": {Type: "integer", Description: "Bytes; 0 for directories."},
				}),
			},
			"truncated": {Type: "boolean", Description: "True if the directory holds more entries than are listed."},
		}),
	}
}

func manageMemory() *mcp.Tool {
	return &mcp.Tool{
		Name:  "manage_memory",
		Meta:  mcp.Meta{"goated/reads": map[string]any{"action": []any{"read"}}}, // registry.ReadsKey
		Title: "Remember and recall",
		Description: "Remember or recall a fact across conversations: write saves (stores) a value under a key, " +
			"read looks up the value saved under a key. Use it to remember names, preferences, counts or notes " +
			"for later, and to recall what was remembered before. Writing a key again replaces its value. " +
			"Reading an unknown key returns the facts closest to it, or the first keys; reading * lists all keys. " +
			"To remove a fact, call forget_fact.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)},
		InputSchema: object([]string{"action", "key"}, map[string]*jsonschema.Schema{
			"action": {
				Type:        "string",
				Enum:        []any{"read", "write"},
				Description: "Operation to perform: write to remember, read to recall.",
			},
			"key": {
				Type:        "string",
				Description: "Memory key to read or write, at most 1 KiB. Capitals and spaces around it do not matter. To list all keys, read *, then *2 for the next page.",
			},
			"value": {
				Type:        "string",
				Description: "Value to write, at most 64 KiB (required for the write action).",
			},
		}),
	}
}

func forgetFact() *mcp.Tool {
	return &mcp.Tool{
		Name:  "forget_fact",
		Meta:  mcp.Meta{"goated/offers": map[string]any{"key": similarNames}}, // registry.OffersKey
		Title: "Forget a fact",
		Description: "Forget a fact: remove the value that manage_memory saved under a key. " +
			"Use it when the user wants something forgotten or removed from memory. It can't be undone. " +
			"The answer says what was removed, or that nothing is stored under that name, with the closest names.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)},
		InputSchema: object([]string{"key"}, map[string]*jsonschema.Schema{
			"key": {
				Type:        "string",
				Description: "Memory key to forget, as it was saved, at most 1 KiB.",
			},
		}),
	}
}

// object returns the schema of an object that has these properties and no others.
func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		Properties:           properties,
		Required:             required,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, // marshals as false
	}
}
