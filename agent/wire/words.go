package wire

import (
	"regexp"
)

// takesNoTools matches the words of services for a model or a server without functions:
// OpenRouter ("No endpoints found that support tool use"), llama.cpp ("tools param requires
// --jinja flag"), Ollama ("… does not support tools"), vLLM ("\"auto\" tool choice requires
// --enable-auto-tool-choice"), and Gemini ("Function calling is not enabled for …").
var takesNoTools = regexp.MustCompile(`(?i)no endpoints found that support tool use|tools param requires|tool choice requires --enable|(does not|doesn't) support (tools|tool use|tool calling|function calling)|(tool|function) calling is not (enabled|supported)`)

// NoTools reports whether a service says that the model takes no functions at all.
func NoTools(message string) bool { return takesNoTools.MatchString(message) }
