package wire

import (
	"strconv"

	"goated/internal/lazyregexp"
)

// takesNoTools matches the error messages of services if the model or server does not support
// functions: OpenRouter ("No endpoints found that support tool use"), llama.cpp ("tools param
// requires --jinja flag"), Ollama ("… does not support tools"), vLLM ("\"auto\" tool choice
// requires --enable-auto-tool-choice"), and Gemini ("Function calling is not enabled for …").
var takesNoTools = lazyregexp.New(`(?i)no endpoints found that support tool use|tools param requires|tool choice requires --enable|(does not|doesn't) support (tools|tool use|tool calling|function calling)|(tool|function) calling is not (enabled|supported)`)

// NoTools reports whether a service's message means that the model accepts no functions at all.
func NoTools(message string) bool { return takesNoTools.MatchString(message) }

// notInPlan matches the messages of Gemini for a model that a free key can't use: "Quota exceeded
// for metric: …, limit: 0, model: …", and earlier "Gemini 2.5 Pro Preview doesn't have a free quota
// tier".
var notInPlan = lazyregexp.New(`\blimit: 0(?:,|(?m:$))|doesn't have a free quota tier`)

// NotInPlan reports whether the message of a refusal for too many requests means that the plan of
// the key does not include the model at all.
func NotInPlan(message string) bool { return notInPlan.MatchString(message) }

// noCredit matches the messages and the codes of services for an account without credit, or for one that
// has reached its spending limit: Gemini ("Your prepayment credits are depleted", "Your project has
// exceeded its monthly spending cap"), OpenAI ("insufficient_quota", "project_spend_limit_exceeded"),
// xAI ("Your team … has either used all available credits or reached its monthly spending limit"),
// Z.AI ("Insufficient balance or no resource package") and Moonshot ("Your account is suspended due
// to insufficient balance").
var noCredit = lazyregexp.New(`(?i)credits are depleted|exceeded its monthly spending cap|insufficient[_ ](quota|balance)|credit_balance_exhausted|(spend|organization_usage)_limit_exceeded|billing_hard_limit_reached|used all available credits`)

// NoCredit reports whether a service's message or code means that the user has to pay or to raise a
// spending limit. Some services send it with the status of a rate limit or of a wrong key.
func NoCredit(message string) bool { return noCredit.MatchString(message) }

// notInRegion matches the messages of services that do not serve a country: Gemini ("User location
// is not supported for the API use", also "… without a billing account linked", and "Gemini API free
// tier is not available in your country. Please enable billing …") and OpenAI ("Country, region, or
// territory not supported").
var notInRegion = lazyregexp.New(`(?i)user location is not supported|(not available|not supported|unsupported) in your (country|region|location)|country, region,? or territory not supported|unsupported_country_region`)

// NotInRegion reports whether a service's message means that it does not serve the place from where
// the request came.
func NotInRegion(message string) bool { return notInRegion.MatchString(message) }

// tooLong matches the error messages of services for a request that is larger than the model's
// context: OpenAI, OpenRouter and vLLM ("maximum context length is 8192 tokens"), llama.cpp
// ("exceeds the available context size"), Ollama ("the input length exceeds the context length"),
// LM Studio ("the model is loaded with context length of only 4096 tokens"), Gemini ("The input
// token count (9) exceeds the maximum number of tokens allowed (8)"), Groq ("Request too large for
// model … Limit 6000, Requested 7000") and Anthropic ("prompt is too long").
var tooLong = lazyregexp.New(`(?i)maximum context length|context[_ ]length[_ ]exceeded|exceeds? (the )?(available )?context (size|length|window)|exceed(s|ed) (the )?(max(imum)? )?context length|context the overflows|loaded with context length|reached context length|greater than the context length|input token count.*exceeds|prompt is too long|prompt too long|request too large for model`)

// contextSize finds the size of the context in such a message.
var contextSize = lazyregexp.New(`(?i)(?:maximum context length (?:is|of) |context length of (?:only )?|context (?:size|length|window) ?\(|tokens allowed \(|n_ctx"?[:= ]+|limit |> )(\d{3,8})\b`)

// ContextFull reports whether a service's message means that a request is larger than the model's
// context. tokens is the size of the context, or 0 if the message does not contain it.
func ContextFull(message string) (tokens int, full bool) {
	if !tooLong.MatchString(message) {
		return 0, false
	}
	if m := contextSize.FindStringSubmatch(message); m != nil {
		tokens, _ = strconv.Atoi(m[1])
	}
	return tokens, true
}
