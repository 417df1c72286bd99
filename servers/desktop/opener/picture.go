package opener

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/servers/desktop/portal"
)

// On Wayland the desktop's portal saves the picture that the user chose among the user's files,
// which the server's sandbox hides. So the host asks the portal and passes on only that picture.

type pictureResult struct {
	PNG []byte `json:"png"`
}

// picture asks the user for a picture.
func (h *Host) picture(ctx context.Context) (any, error) {
	if h.o.Hidden {
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "refused: the server works on a hidden desktop"}
	}
	p, err := portal.Open(ctx, portal.Options{})
	if err != nil {
		return nil, &jsonrpc.Error{Code: codeMissing, Message: err.Error()}
	}
	defer p.Close()
	m, err := p.Screenshot(ctx)
	switch {
	case errors.Is(err, portal.ErrMissing):
		return nil, &jsonrpc.Error{Code: codeMissing, Message: err.Error()}
	case errors.Is(err, portal.ErrDenied):
		return nil, &jsonrpc.Error{Code: codeRefused, Message: err.Error()}
	case err != nil:
		return nil, err
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		return nil, err
	}
	return pictureResult{b.Bytes()}, nil
}

// AskPicture returns a function that asks the user of a Wayland session for a picture, through the
// host.
func AskPicture(host Asker) func(context.Context) (image.Image, error) {
	return func(ctx context.Context) (image.Image, error) {
		var r pictureResult
		if err := host.Call(ctx, methodPicture, struct{}{}, &r); err != nil {
			var e *jsonrpc.Error
			if errors.As(err, &e) && e.Code == codeMissing {
				return nil, fmt.Errorf("%w (%s)", portal.ErrMissing, e.Message)
			}
			return nil, explain(err)
		}
		return png.Decode(bytes.NewReader(r.PNG))
	}
}
