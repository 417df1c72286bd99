// Package dialogsocket is the dialog socket of seed 004: a WebSocket through which a pause server in any MCP
// client asks the user of a running goated. [Server] is goated's side, and [Client] is the pause
// server's side.
//
// It owns the protocol, the proof that a caller belongs to the user, and the answers that no caller
// has received yet. It must not know how a dialog looks.
package dialogsocket

import (
	"encoding/json"
	"errors"
	"time"

	"goated/servers/pause/dialog"
)

// These are the JSON-RPC methods of the socket. The first two are from the seed.
const (
	methodCall     = "tools/call"
	methodPing     = "ping"
	methodCancel   = "notifications/cancelled"
	methodReceived = "dialog/received" // the caller has the answer, so goated deletes it
)

// These are the JSON-RPC error codes that the socket uses.
const (
	codeParse    = -32700
	codeRequest  = -32600
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603 // with data.cancelled: the user cancelled the dialog (seed 004)
	codeLimit    = -32000
)

// These are the headers of the handshake.
const (
	headerClient      = "Goated-Client"      // the same for all connections of a process
	headerCaller      = "Goated-Caller"      // JSON: the caller
	headerAcknowledge = "Goated-Acknowledge" // "1": the client sends dialog/received
)

// These are the limits of the socket.
const (
	maxCall       = dialog.MaxSize + 64<<10           // bytes of a message from a caller
	maxResult     = dialog.MaxAttachments/3*4 + 4<<20 // bytes of a message to a caller
	maxDialogs    = 50                                // of one client at the same time
	maxAll        = 500                               // of all clients at the same time
	maxGivenUp    = 5                                 // of a client: open dialogs for which it no longer waits
	callsAMinute  = 100                               // of a process (seed 004)
	maxQueue      = 64                                // messages that wait to be sent over a connection
	heartbeat     = 20 * time.Second
	writeTimeout  = 10 * time.Second
	maxHeader     = 16 << 10
	headerTimeout = 5 * time.Second
)

// A frame is any message of the socket's two protocols: JSON-RPC 2.0 as in the seed, or the original
// program's messages, which have a type.
type frame struct {
	Version string          `json:"jsonrpc,omitempty"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`

	Type         string          `json:"type,omitempty"`
	DialogType   string          `json:"dialogType,omitempty"`
	Parameters   json.RawMessage `json:"parameters,omitempty"`
	Data         json.RawMessage `json:"data,omitempty"`
	Status       string          `json:"status,omitempty"`
	ConnectionID string          `json:"connectionId,omitempty"`
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    *cancelledError `json:"data,omitempty"`
}

// Error implements error.
func (e *rpcError) Error() string { return e.Message }

type cancelledError struct {
	Cancelled bool      `json:"cancelled"`
	Timestamp time.Time `json:"timestamp"`
}

type callParams struct {
	Name      dialog.Kind     `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type cancelParams struct {
	RequestID json.RawMessage `json:"requestId"`
}

// An Address tells a caller how to reach the socket. It is the content of [addressFile].
type Address struct {
	Network string `json:"network"` // unix or tcp
	Address string `json:"address"`
	Token   string `json:"token"`
	PID     int    `json:"pid"`
}

// addressFile is the name of the file in the socket's folder. Only the user can read it.
const addressFile = "dialogs.json"

var (
	// ErrClosed means that no goated process listens at the dialog socket.
	ErrClosed = errors.New("goated is not running")
	// ErrRefused means that goated rejected the token.
	ErrRefused = errors.New("goated refuses the connection")
)
