package geminitest

import (
	"encoding/json"
	"slices"
	"strings"
)

// checkGenerationConfig requires numbers in the range of the service, and known values for
// enumerations.
func checkGenerationConfig(req *generateRequest) *failure {
	config := req.GenerationConfig
	if config == nil {
		return nil
	}
	const at = "generation_config"
	switch {
	case outside(config.Temperature, 0, 2):
		return invalidField(at+".temperature", "temperature must be in the range [0.0, 2.0].")
	case outside(config.TopP, 0, 1):
		return invalidField(at+".top_p", "top_p must be in the range [0.0, 1.0].")
	case outside(config.MaxOutputTokens, 1, 1<<31-1):
		return invalidField(at+".max_output_tokens", "max_output_tokens must be positive.")
	case outside(config.CandidateCount, 1, 8):
		return invalidField(at+".candidate_count", "candidate_count must be in the range [1, 8].")
	}
	if f := checkOpenAPI(at+".response_schema", config.ResponseSchema); f != nil {
		return f
	}
	return checkThinking(config.ThinkingConfig)
}

// checkThinking requires a known level without a budget beside it: "You can only set only one of
// thinking budget and thinking level."
func checkThinking(config *thinkingConfig) *failure {
	if config == nil || config.ThinkingLevel == "" {
		return nil
	}
	if config.ThinkingBudget != "" {
		return invalid("You can only set only one of thinking budget and thinking level.")
	}
	levels := []string{"THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"}
	if !slices.Contains(levels, strings.ToUpper(config.ThinkingLevel)) {
		return invalid("Invalid value at 'generation_config.thinking_config.thinking_level' "+
			"(type.googleapis.com/google.ai.generativelanguage.v1beta.ThinkingConfig.ThinkingLevel), %q",
			config.ThinkingLevel)
	}
	return nil
}

// outside reports whether a number is set but not in [low, high].
func outside(number json.Number, low, high float64) bool {
	if number == "" {
		return false
	}
	value, err := number.Float64()
	return err != nil || value < low || value > high
}
