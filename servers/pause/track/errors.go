package track

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
)

// A Category is one of the four kinds of errors of seed 004. It decides whether a
// request is tried again.
type Category string

// The categories. Only a connection error is tried again.
const (
	Connection  Category = "CONNECTION"
	Protocol    Category = "PROTOCOL"
	Application Category = "APPLICATION"
	User        Category = "USER"
)

// Errors that have a category. Wrap them.
var (
	ErrCancelled = errors.New("the user cancelled the dialog")
	ErrProtocol  = errors.New("invalid message")
)

// Classify returns the category of an error by its type, never by its text.
func Classify(err error) Category {
	var network net.Error
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	var transition *transitionError
	switch {
	case errors.Is(err, ErrCancelled), errors.Is(err, context.Canceled):
		return User
	case errors.Is(err, ErrProtocol), errors.As(err, &syntax), errors.As(err, &wrong), errors.As(err, &transition):
		return Protocol
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return Connection
	}
	return Application
}
