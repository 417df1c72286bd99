// Package catalog searches the official MCP registry (/v0.1/servers) and plans how to install its
// servers: npm and PyPI packages with pinned versions, container images, .mcpb bundles with their
// hashes, and servers with a URL.
//
// It owns the wire types, the cache of answers and the checks of an entry. It does not trust
// entries: an entry becomes a program with arguments, never a command line for a shell. The package
// starts nothing, and must not depend on settings, hosts or the window.
package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"goated/internal/lazyregexp"
)

// A Server is an entry of the registry (server.json).
type Server struct {
	Name        string      `json:"name"` // such as "io.github.user/weather"
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
	Website     string      `json:"websiteUrl"`
	Repository  Repository  `json:"repository"`
	Packages    []Package   `json:"packages"`
	Remotes     []Transport `json:"remotes"`
	Registry    Registry    `json:"-"`
}

// A Repository is the location of a server's source code.
type Repository struct {
	URL string `json:"url"`
}

// A Registry contains the registry's own metadata about an entry.
type Registry struct {
	Status   string    `json:"status"` // active, deprecated or deleted
	Updated  time.Time `json:"updatedAt"`
	IsLatest bool      `json:"isLatest"`
}

// A Package is one way to install a server.
type Package struct {
	Type        string    `json:"registryType"` // npm, pypi, oci, nuget, cargo or mcpb
	Base        string    `json:"registryBaseUrl"`
	Identifier  string    `json:"identifier"`
	Version     string    `json:"version"`
	SHA256      string    `json:"fileSha256"`
	Runtime     string    `json:"runtimeHint"`
	Transport   Transport `json:"transport"`
	RuntimeArgs []Arg     `json:"runtimeArguments"`
	Args        []Arg     `json:"packageArguments"`
	Env         []Named   `json:"environmentVariables"`
}

// A Transport describes how to reach a server.
type Transport struct {
	Type      string           `json:"type"` // stdio, streamable-http or sse
	URL       string           `json:"url"`
	Headers   []Named          `json:"headers"`
	Variables map[string]Input `json:"variables"`
}

// An Input is a fixed value, or a value that the user enters.
type Input struct {
	Description string           `json:"description"`
	Required    bool             `json:"isRequired"`
	Format      string           `json:"format"` // string, number, boolean or filepath
	Value       string           `json:"value"`  // may contain {variables}
	Secret      bool             `json:"isSecret"`
	Default     string           `json:"default"`
	Placeholder string           `json:"placeholder"`
	Choices     []string         `json:"choices"`
	Variables   map[string]Input `json:"variables"`
}

// A Named is the input for an environment variable or a header.
type Named struct {
	Input
	Name string `json:"name"`
}

// An Arg is the input for an argument.
type Arg struct {
	Input
	Type     string `json:"type"` // positional or named
	Name     string `json:"name"`
	Hint     string `json:"valueHint"`
	Repeated bool   `json:"isRepeated"`
}

// serverName matches the names of servers.
var serverName = lazyregexp.New(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

// ValidName reports whether text can be the name of a server in the registry.
func ValidName(text string) bool {
	return len(text) >= 3 && len(text) <= 200 && serverName.MatchString(text)
}

// Parse parses a server.json that the user provides, for example from a repository. A bundle in it
// needs its SHA-256, as in the registry.
func Parse(text []byte) (Server, error) {
	var wrapped struct {
		Server *Server `json:"server"`
	}
	var s Server
	err := json.Unmarshal(text, &s)
	if err == nil && json.Unmarshal(text, &wrapped) == nil && wrapped.Server != nil {
		s = *wrapped.Server // the text is an answer of the registry
	}
	switch {
	case err != nil:
		return Server{}, fmt.Errorf("this is not a server.json: %w", err)
	case !ValidName(s.Name) || len(s.Packages)+len(s.Remotes) == 0:
		return Server{}, errors.New("this is not a server.json: it has no name, or neither packages nor remotes")
	}
	return answer{Server: s}.server(), nil
}

// Label returns the title, or the last part of the name.
func (s Server) Label() string {
	if s.Title != "" {
		return s.Title
	}
	for i := len(s.Name) - 1; i >= 0; i-- {
		if s.Name[i] == '/' {
			return s.Name[i+1:]
		}
	}
	return s.Name
}
