// Package runconfig is the fields with which a user says how a server runs: its
// arguments, its environment and its working directory.
//
// It owns [Fields], which the sheet that adds and changes servers shows, and [Variables],
// which masks secrets, takes pasted lines of NAME=value and shows what an input wants. [FactsOf] and
// [Given] say what a pasted text has of it.
// Everything belongs to the UI goroutine.
//
// It must not know hosts, the keyring or who shows the fields: they receive a
// [goated/internal/config.Launch] and return a changed one.
package runconfig
