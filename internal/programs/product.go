package programs

import (
	"runtime"
	"slices"
)

// A Product is software that goated can install. The zero value is no product.
type Product struct {
	Name     string   // as in "goated install uv"
	Title    string   // for people
	From     string   // the registry that it comes from, for people
	Commands []string // the programs in it
}

// Products returns the products that goated can install on this system.
func Products() []Product {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil
	}
	return []Product{
		{"uv", "uv", "PyPI", []string{"uv", "uvx"}},
		{"node", "Node.js", "the npm registry", []string{"node", "npm", "npx"}},
	}
}

// Of returns the product with a command, for example uv for uvx, or with this name.
func Of(command string) (Product, bool) {
	for _, p := range Products() {
		if p.Name == command || slices.Contains(p.Commands, command) {
			return p, true
		}
	}
	return Product{}, false
}
