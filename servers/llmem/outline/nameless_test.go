package outline

import (
	"context"
	"testing"

	"goated/internal/servertest"
)

func TestDefaultFunctionOfADeclarationFile(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t)})
	defer p.Close()
	f, err := p.Parse(context.Background(), "a.d.ts", []byte("export default function (start: number): () => number;\n"))
	if err != nil || len(f.Symbols) != 1 || f.Symbols[0].Name != "default" || f.Symbols[0].Kind != Function || f.Symbols[0].Signature != "default function (start: number): () => number" {
		t.Errorf("%+v, %v", f.Symbols, err)
	}
}
