package track

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
)

// A Category is one of the four kinds of errors in seed 004. It determines whether a request is
// retried.
type Category string

// These are the categories. Only connection errors are retried.
const (
	Connection  Category = "CONNECTION"
	Protocol    Category = "PROTOCOL"
	Application Category = "APPLICATION"
	User        Category = "USER"
)

// These errors have a category. Other errors should wrap them.
var (
	ErrCancelled = errors.New("the user cancelled the dialog")
	ErrProtocol  = errors.New("invalid message")
)

// Classify returns the category of an error. It uses only the error's type, never its text.
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
