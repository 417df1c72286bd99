// Package terminal is goated's face in a terminal: what it reads of the user, and what
// it prints for them.
//
// It owns the lines that a user types, with their editing and history ([Reader]); the
// questions of tools, servers, sandboxes and approvals, one at a time ([Prompter],
// [Approver]); a turn as it goes ([Printer]); the writers that no server can give orders
// to the terminal through ([Plain], [Faithful]); and how a command says that it failed.
//
// It must not know which command runs, the settings or the key. It starts no server and
// no session: cmd/goated hands its functions to those that ask.
package terminal
