package outline

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// parseGo parses a Go file. If the file has errors, it returns the part that go/parser could parse.
func parseGo(source []byte) (*File, error) {
	fset := token.NewFileSet()
	// The error means that the tree is partial. The tree is never nil, because there is a source.
	tree, err := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	g := &goFile{
		file: &File{Language: "go", Lines: CountLines(source), Refs: make(map[string]int), Errors: err != nil},
		base: fset.File(tree.FileStart), source: source,
	}
	for _, i := range tree.Imports {
		im := Import{Source: strings.Trim(i.Path.Value, "\"`"), Line: g.line(i.Pos())}
		if i.Name != nil {
			im.Names = []string{i.Name.Name}
		}
		g.file.Imports = append(g.file.Imports, im)
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.declaration(d)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			g.file.Refs[id.Name]++
		}
		return true
	})
	return g.file, nil
}

type goFile struct {
	file   *File
	base   *token.File
	source []byte
}

func (g *goFile) line(p token.Pos) int { return g.base.PositionFor(p, false).Line }

func (g *goFile) text(from, to token.Pos) string {
	a, b := g.base.Offset(from), g.base.Offset(to)
	return string(g.source[a:max(a, b)])
}

func (g *goFile) add(name, kind, parent, signature, doc string, n ast.Node) {
	g.file.Symbols = append(g.file.Symbols, Symbol{
		Name: name, Kind: kind, Parent: parent, Signature: signatureLine(signature), Doc: paragraph(doc),
		StartLine: g.line(n.Pos()), EndLine: g.line(n.End() - 1),
	})
}

func (g *goFile) function(d *ast.FuncDecl) {
	kind, parent := Function, ""
	if d.Recv != nil && len(d.Recv.List) > 0 {
		kind, parent = Method, receiver(d.Recv.List[0].Type)
	}
	end := d.End()
	if d.Body != nil {
		end = d.Body.Lbrace
	}
	g.add(d.Name.Name, kind, parent, g.text(d.Pos(), end), d.Doc.Text(), d)
}

// receiver returns the type name of a method's receiver.
func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// declaration adds types, constants and variables at the top level of the file.
func (g *goFile) declaration(d *ast.GenDecl) {
	for _, s := range d.Specs {
		doc := func(own *ast.CommentGroup) string {
			if own == nil && len(d.Specs) == 1 {
				own = d.Doc
			}
			return own.Text()
		}
		var n ast.Node = s
		if !d.Lparen.IsValid() {
			n = d // the keyword belongs to its only spec
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			kind, end := Type, s.End()
			switch t := s.Type.(type) {
			case *ast.StructType:
				kind, end = Struct, t.Fields.Opening
			case *ast.InterfaceType:
				kind, end = Interface, t.Methods.Opening
			}
			if !end.IsValid() {
				end = s.End()
			}
			g.add(s.Name.Name, kind, "", "type "+g.text(s.Pos(), end), doc(s.Doc), n)
			if t, ok := s.Type.(*ast.InterfaceType); ok {
				g.methods(s.Name.Name, t)
			}
		case *ast.ValueSpec:
			kind, word := Variable, "var "
			if d.Tok == token.CONST {
				kind, word = Constant, "const "
			}
			for _, name := range s.Names {
				if name.Name == "_" {
					continue
				}
				signature := word + name.Name
				if s.Type != nil {
					signature += " " + g.text(s.Type.Pos(), s.Type.End())
				}
				g.add(name.Name, kind, "", signature, doc(s.Doc), n)
			}
		}
	}
}

// methods adds the methods in an interface.
func (g *goFile) methods(parent string, t *ast.InterfaceType) {
	for _, m := range t.Methods.List {
		for _, name := range m.Names {
			g.add(name.Name, Method, parent, g.text(m.Pos(), m.End()), m.Doc.Text(), m)
		}
	}
}

// CountLines counts the lines of a source. The last line need not have a line ending.
func CountLines(source []byte) int {
	n := bytes.Count(source, []byte{'\n'})
	if len(source) > 0 && source[len(source)-1] != '\n' {
		n++
	}
	return n
}
