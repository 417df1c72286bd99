package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/jsonscan"
	"goated/internal/truncate"
)

// Modern is the first protocol version without initialize, sessions and requests from servers.
const Modern = "2026-07-28"

// AgreedVersion returns the version in a response to initialize. The SDK checks the rest.
func AgreedVersion(result []byte) (version string) {
	jsonscan.Members(result, func(key, value []byte) {
		if string(key) == "protocolVersion" && len(value) <= jsonscan.MaxName {
			version = jsonscan.Unquote(value)
		}
	})
	return version
}

// supported returns the versions that a server lists when it refuses the version of a handshake (MCP,
// Lifecycle, Error Handling).
func supported(err error) []string {
	var wire *jsonrpc.Error
	var data struct{ Supported []string }
	if !errors.As(err, &wire) || json.Unmarshal(wire.Data, &data) != nil {
		return nil
	}
	return data.Supported
}

// CommonVersion returns the newest version for initialize that both goated and the server support. err is
// the server's refusal of the version, which lists the server's versions. CommonVersion returns "" if
// there is no common version.
func CommonVersion(err error) string {
	theirs := supported(err)
	for _, version := range mcp.SupportedProtocolVersions() {
		if version < Modern && slices.Contains(theirs, version) {
			return version
		}
	}
	return ""
}

// A VersionError means that a handshake failed because goated and the server have no MCP version in
// common.
type VersionError struct {
	Theirs, Ours string // comma-separated versions
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("the server speaks MCP %s; goated speaks MCP %s", e.Theirs, e.Ours)
}

// Version returns a [VersionError] if a handshake failed because of the versions. Otherwise it
// returns err. A version mismatch is not the server's fault.
func Version(err error) error {
	if err == nil {
		return nil
	}
	theirs := supported(err)
	if version, ok := strings.CutPrefix(err.Error(), "unsupported protocol version: "); ok {
		theirs = []string{strings.Trim(version, `"`)}
	}
	ours := mcp.SupportedProtocolVersions()
	if len(theirs) == 0 || slices.ContainsFunc(theirs, func(v string) bool { return slices.Contains(ours, v) }) {
		return err
	}
	return &VersionError{truncate.Bytes(strings.Join(theirs, ", "), maxData), strings.Join(ours, ", ")}
}
