package agent

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bytes of an archive reached the model as text, because they were valid text by chance.
func TestOnlyTextualDataIsText(t *testing.T) {
	for mime, want := range map[string]bool{
		"": true, "text/markdown": true, "application/json; charset=utf-8": true, "image/svg+xml": true, "application/octet-stream": true,
		"application/zip": false, "application/vnd.openxmlformats-officedocument.wordprocessingml.document": false, "audio/wav": false,
	} {
		text, _ := embedded(&mcp.ResourceContents{URI: "mem://1", MIMEType: mime, Blob: []byte("PK plain words")})
		if strings.Contains(text, "plain words") != want {
			t.Errorf("%q: %s", mime, text)
		}
	}
}
