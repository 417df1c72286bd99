package screenshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ErrReader means that tesseract, which reads text in pictures, is not installed.
var ErrReader = errors.New("reading text in screenshots needs tesseract: install it")

// readTimeout is how long tesseract may take.
const readTimeout = 20 * time.Second

// Text reads the text of a picture with tesseract, if it is installed.
func (p *Picture) Text(ctx context.Context) (string, error) {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return "", ErrReader
	}
	b, err := p.PNG()
	if err != nil {
		return "", fmt.Errorf("encoding the screenshot: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "stdin", "stdout")
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.Output()
	if err != nil {
		return "", errors.Join(context.Cause(ctx), fmt.Errorf("reading the text with tesseract: %w", err))
	}
	return strings.TrimSpace(string(out)), nil
}
