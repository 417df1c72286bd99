// Package transcript shows one conversation: what the user and the model said, the
// cards of the tool calls, and goated's own remarks.
//
// It owns the viewport with the rows that exist, the selection across rows, the
// search within the conversation, and the previews of attachments. Its
// On functions report what the user wants; [CardActions] are the functions that
// its cards need of the window. It must not know the sidebar, the composer, the
// history, the host or the session.
package transcript
