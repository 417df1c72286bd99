// Package client connects MCP servers and keeps them connected: from a script's
// path to a process, from the process to a session, from the session to tools
// in the registry, and back down when a server or its user has had enough.
//
// [Host] owns the processes, the sessions and the registry. Its state is
// watched ([Host.Watch]), its tools are called ([Host.Call]), and what goes
// wrong is an [*Error] that reads as a sentence for the user. It knows nothing
// of models and of windows.
package client
