// Package programs finds and installs the programs that READMEs start servers with.
//
// It knows where version managers keep programs that are not on the PATH, and it
// installs uv from PyPI and Node.js with npm from the npm registry, for users who lack
// them. It checks each file against the hash that the registry gives, writes only below
// its folder, and runs nothing. It must not know servers, the sandbox or the window.
package programs
