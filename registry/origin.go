package registry

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Origin says how a server starts and which program it is, as far as goated
// knows. A permission holds for the origin that the user saw. The zero value is an
// unknown origin.
type Origin struct {
	// Start is the program, its arguments and its folder, or the URL, on one line
	// for users.
	Start string
	// Code is a digest of the server's files and of its installed packages, or of its
	// image; empty if goated finds none.
	Code string
	// Files names the files that Code covers, with a digest of each; empty if there are too many. Nothing
	// depends on it but what the user is told about a change.
	Files string
	// Unseen reports that Code does not cover all code of the server.
	Unseen bool
	// Version is the version that the server reports.
	Version string
	// Instructions are what the server tells the model about all its tools.
	Instructions string
	// Connection is the number of the connection: a server that restarts gets
	// another one.
	Connection int64
}

// A Definition is a tool as its server declares it, as far as a user or a model
// decides by it.
type Definition struct {
	Name        string               `json:"name"`
	Title       string               `json:"title,omitempty"`
	Description string               `json:"description,omitempty"`
	Input       json.RawMessage      `json:"input,omitempty"` // with sorted names
	Annotations *mcp.ToolAnnotations `json:"annotations,omitempty"`
}

// DefinitionOf returns the definition of a tool. A schema that is not JSON is empty.
func DefinitionOf(t *mcp.Tool) Definition {
	d := Definition{Name: t.Name, Title: t.Title, Description: t.Description, Annotations: t.Annotations}
	if input, err := json.Marshal(t.InputSchema); err == nil && t.InputSchema != nil {
		d.Input = input
	}
	return d
}

// Digest returns the same text for two definitions if they are equal, and only then.
func (d Definition) Digest() string {
	data, err := json.Marshal(d)
	if err != nil { // Input is valid JSON
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// Digest returns the same text for two entries if both are the same tool, with the
// same definition, of the same program with the same instructions. The connection does not count.
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
