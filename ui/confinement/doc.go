// Package confinement shows what the sandbox allows a server to do: before the server starts
// ([Foreseen]), and while it runs ([NewShield], [NewShieldCard]).
//
// It owns the texts and the colours of the shield, and the choice of the folders that a new
// server may change. Everything belongs to the UI goroutine.
//
// It must not depend on the code that starts servers or saves their permissions: it returns what
// the user agreed to. It makes no calls to a host.
package confinement
