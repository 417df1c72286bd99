// Package runconfig contains the fields in which a user enters how a server runs: its arguments,
// its environment and its working directory.
//
// It owns [Fields], which the sheet for adding and changing servers shows. It also owns
// [Variables], which masks secrets, accepts pasted lines of NAME=value and explains what an input
// needs. [FactsOf] and [Given] describe what a pasted text contains. Everything belongs to the UI
// goroutine.
//
// It must not depend on hosts, the keyring or the code that shows the fields. The fields receive
// a [goated/internal/config.Launch] and return a changed one.
package runconfig
