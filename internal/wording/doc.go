// Package wording turns error kinds and causes into English sentences for the
// user: one file for each area that has errors. It is pure. The packages below it
// return kinds with arguments and contain no such sentences; the window and the
// terminal show what this package returns. The exception is the text of a
// [client.Error], which is fixed by seed 003 and also goes to the model.
package wording
