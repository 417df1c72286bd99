package geminitest

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/genai"
)

// CheckHistory returns an error if a model would refuse the history between two turns.
func CheckHistory(history []*genai.Content) error {
	for i, c := range history {
		if len(c.Parts) == 0 {
			return fmt.Errorf("content %d is empty", i)
		}
		var calls, responses []string
		for _, p := range c.Parts {
			if p.FunctionCall != nil {
				calls = append(calls, p.FunctionCall.ID+p.FunctionCall.Name)
			}
			if p.FunctionResponse != nil {
				responses = append(responses, p.FunctionResponse.ID+p.FunctionResponse.Name)
			}
		}
		if len(calls) > 0 && (i+1 == len(history) || len(history[i+1].Parts) == 0 || history[i+1].Parts[0].FunctionResponse == nil) {
			return fmt.Errorf("the calls of content %d have no responses", i)
		}
		if len(responses) == 0 {
			continue
		}
		if i == 0 {
			return errors.New("responses come first")
		}
		var asked []string
		for _, p := range history[i-1].Parts {
			if p.FunctionCall != nil {
				asked = append(asked, p.FunctionCall.ID+p.FunctionCall.Name)
			}
		}
		if !slices.Equal(asked, responses) {
			return fmt.Errorf("content %d answers %v, asked was %v", i, responses, asked)
		}
	}
	return nil
}
