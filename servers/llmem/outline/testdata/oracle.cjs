// Lists the definitions of JavaScript and TypeScript files with the TypeScript compiler:
// one path per line on stdin, one JSON array of [name, first line, last line] per line on
// stdout, or null for a file with syntax errors.
const ts = require("typescript");
const fs = require("fs");
const lines = [];
for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const file = ts.createSourceFile(path, fs.readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length) { lines.push("null"); continue; }
  const found = [];
  const add = (node, name) => found.push([name,
    file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
    file.getLineAndCharacterOfPosition(node.getEnd()).line + 1]);
  const visit = (node) => {
    switch (node.kind) {
      case ts.SyntaxKind.FunctionDeclaration:
      case ts.SyntaxKind.ClassDeclaration:
        add(node, node.name ? node.name.text : "default");
        break;
      case ts.SyntaxKind.InterfaceDeclaration:
      case ts.SyntaxKind.TypeAliasDeclaration:
      case ts.SyntaxKind.EnumDeclaration:
        add(node, node.name.text);
        break;
      case ts.SyntaxKind.MethodDeclaration:
      case ts.SyntaxKind.GetAccessor:
      case ts.SyntaxKind.SetAccessor:
      case ts.SyntaxKind.MethodSignature:
        if (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)) add(node, node.name.text);
        break;
      case ts.SyntaxKind.Constructor:
        add(node, "constructor");
        break;
      case ts.SyntaxKind.VariableDeclaration:
        if (node.initializer && ts.isIdentifier(node.name) &&
          (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer) || ts.isClassExpression(node.initializer))) add(node, node.name.text);
        break;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  lines.push(JSON.stringify(found));
}
process.stdout.write(lines.join("\n") + "\n");
