// Package terminal is goated's interface in a terminal: it reads the user's input and prints
// output.
//
// It owns the lines that a user types, with their editing and history ([Reader]). It asks the
// questions of tools, servers, sandboxes and approvals, one at a time ([Prompter], [Approver]). It
// prints a turn while it runs ([Printer]). Its writers keep servers from sending control sequences
// to the terminal ([Plain], [Faithful]). It also reports that a command failed.
//
// It must not know which command runs, the settings or the key. It starts no server and no session:
// cmd/goated passes its functions to the packages that ask questions.
package terminal
