// Package confinement shows what the sandbox lets a server do: before it starts
// ([Foreseen]), and while it runs ([NewShield], [NewShieldCard]).
//
// It owns the words and the colours of the shield, and the choice of the folders that a
// new server may change. Everything belongs to the UI goroutine.
//
// It must not know who starts servers or saves their permissions: it returns what the
// user agreed to. It asks no host.
package confinement
