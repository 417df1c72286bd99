// Package client connects MCP servers and keeps them connected: from a configuration
// to a process, a session, and tools in the registry.
//
// [Host] owns the processes, the sessions and the registry. [Host.Watch] yields its
// state, [Host.Call] calls a tool, and each failure is an [*Error] of a kind. Failed
// servers have a [FailureReport]; servers that end by themselves are restarted. The package
// must not know models, windows or settings.
package client
