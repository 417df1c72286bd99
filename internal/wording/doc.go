// Package wording turns error kinds and causes into English sentences for the user. It has one file
// for each area that has errors. It is pure. The packages below it return kinds with arguments and
// contain no such sentences. The window and the terminal show the sentences of this package. The
// exception is the text of a [client.Error], which seed 003 defines and which also goes to the
// model.
package wording
