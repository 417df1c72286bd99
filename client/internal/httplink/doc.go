// Package httplink speaks MCP over HTTP.
//
// [Conn] is an [mcp.Transport] for a server with a URL. It supports Streamable HTTP with sessions
// and resumable streams (MCP 2025-03-26 to 2025-11-25), stateless Streamable HTTP (MCP 2026-07-28),
// and HTTP with SSE (MCP 2024-11-05) for servers that support nothing newer. It owns the HTTP
// requests, the session, the streams and their reconnection. Like package stdio, it tolerates the
// mistakes of real servers: an invalid response fails only its own call.
//
// The package must not know tools, SDK sessions, the host, or how a user signs in: [Options.Auth]
// authorizes requests.
package httplink
