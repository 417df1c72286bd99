// Reads the outlines of files with native tree-sitter: the language is the argument, one
// path per line on stdin, and the milliseconds that all files took on stdout. It collects
// what an outline has: the kind, the name and the lines of each definition, and how often
// the file mentions each identifier.
const fs = require("fs");
const Parser = require("tree-sitter");
const grammar = {
  python: () => require("tree-sitter-python"),
  javascript: () => require("tree-sitter-javascript"),
  typescript: () => require("tree-sitter-typescript").typescript,
  go: () => require("tree-sitter-go"),
}[process.argv[2]]();
const definition = /^(function|method|class|interface|type|enum|async_function|generator_function|abstract_class|type_alias|const|var)_(definition|declaration|spec)$|^variable_declarator$|^type_spec$/;
const parser = new Parser();
parser.setLanguage(grammar);
const outline = (text) => {
  const found = [], refs = new Map();
  const cursor = parser.parse(text, null, { bufferSize: 2 << 20 }).walk();
  for (;;) {
    const type = cursor.nodeType;
    if (definition.test(type)) {
      const node = cursor.currentNode, name = node.childForFieldName && node.childForFieldName("name");
      found.push([type, name ? name.text : "", cursor.startPosition.row + 1, cursor.endPosition.row + 1]);
    } else if (type.endsWith("identifier")) {
      const name = cursor.nodeText;
      refs.set(name, (refs.get(name) || 0) + 1);
    }
    if (cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return found;
  }
};
const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map((path) => fs.readFileSync(path, "utf8"));
outline(files[0]);
const began = process.hrtime.bigint();
for (const text of files) outline(text);
process.stdout.write(String(Number(process.hrtime.bigint() - began) / 1e6) + "\n");
