package registry

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Origin describes how a server starts and which program it is, as far as goated can tell. A
// permission applies only to the origin that the user saw. The zero value is an unknown origin.
type Origin struct {
	// Start is the program, its arguments and its working directory, or the URL, on one line for
	// users.
	Start string
	// Code is a digest of the server's files and installed packages, or of its image. It is empty
	// if goated finds none of these.
	Code string
	// Files lists the files that Code covers, with a digest of each. It is empty if there are too many.
	// It only serves to tell the user what changed.
	Files string
	// Unseen means that Code does not cover all code of the server.
	Unseen bool
	// Version is the version that the server reports.
	Version string
	// Instructions are the server's instructions for the model.
	Instructions string
	// Connection is the number of the connection. It changes when the server restarts.
	Connection int64
}

// A Definition contains those parts of a tool's declaration that influence the decisions of a user
// or a model.
type Definition struct {
	Name        string               `json:"name"`
	Title       string               `json:"title,omitempty"`
	Description string               `json:"description,omitempty"`
	Input       json.RawMessage      `json:"input,omitempty"` // with sorted member names
	Annotations *mcp.ToolAnnotations `json:"annotations,omitempty"`
}

// DefinitionOf returns the definition of a tool. If the schema is not JSON, Input is empty.
func DefinitionOf(t *mcp.Tool) Definition {
	d := Definition{Name: t.Name, Title: t.Title, Description: t.Description, Annotations: t.Annotations}
	if input, err := json.Marshal(t.InputSchema); err == nil && t.InputSchema != nil {
		d.Input = input
	}
	return d
}

// Digest returns a digest that is the same for two definitions if and only if they are equal.
func (d Definition) Digest() string {
	data, err := json.Marshal(d)
	if err != nil { // cannot happen: Input is valid JSON
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// Digest returns a digest that is the same for two entries if both are the same tool with the same
// definition, from the same program with the same instructions. The connection does not matter.
func (e Entry) Digest() string {
	o := e.Origin
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %q", e.Name, o.Start, o.Code, o.Version, o.Instructions, DefinitionOf(e.Tool).Digest()))
	return fmt.Sprintf("%x", sum)
}

// Same reports whether a call that was approved for e may run o.
func (e Entry) Same(o Entry) bool {
	if e.Tool == nil || o.Tool == nil {
		return e.Name == o.Name && e.Tool == o.Tool
	}
	return e.Name == o.Name && (e.Tool == o.Tool && e.Origin == o.Origin || e.Digest() == o.Digest())
}
