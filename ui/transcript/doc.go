// Package transcript shows one conversation: the messages of the user and the model, the cards of
// the tool calls, and goated's own remarks.
//
// It owns the viewport with the rows that exist, the selection across rows, the search within the
// conversation, and the previews of attachments. Its On functions report the user's actions.
// [CardActions] are the functions of the window that its cards call. It must not depend on the
// sidebar, the composer, the history, the host or the session.
package transcript
