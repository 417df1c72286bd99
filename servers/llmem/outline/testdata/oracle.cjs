// Lists the definitions of JavaScript and TypeScript files with the TypeScript compiler:
// one path per line on stdin, one JSON array of [name, first line, last line] per line on
// stdout, or null for a file with syntax errors. A fourth element marks a definition that an
// outline may have and need not: a property that holds a function.
const ts = require("typescript");
const fs = require("fs");
const lines = [];
for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const file = ts.createSourceFile(path, fs.readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length) { lines.push("null"); continue; }
  const found = [];
  const add = (node, name, optional) => found.push([name,
    file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
    file.getLineAndCharacterOfPosition(node.getEnd()).line + 1].concat(optional ? [true] : []));
  const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node));
  const nameOf = (node) => ts.isStringLiteral(node) || ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? node.text : node.getText(file);
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
        else add(node, nameOf(node.name), true);
        break;
      case ts.SyntaxKind.PropertyAssignment:
      case ts.SyntaxKind.PropertyDeclaration:
        if (isFunction(node.initializer)) add(node, nameOf(node.name), true);
        break;
      case ts.SyntaxKind.BinaryExpression:
        if (node.operatorToken.kind === ts.SyntaxKind.EqualsToken && isFunction(node.right))
          add(node, ts.isPropertyAccessExpression(node.left) ? nameOf(node.left.name) : node.left.getText(file), true);
        break;
      case ts.SyntaxKind.Constructor:
        add(node, "constructor");
        break;
      case ts.SyntaxKind.VariableDeclaration:
        if (node.initializer && ts.isIdentifier(node.name) && isFunction(node.initializer)) add(node, node.name.text);
        break;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  lines.push(JSON.stringify(found));
}
process.stdout.write(lines.join("\n") + "\n");
