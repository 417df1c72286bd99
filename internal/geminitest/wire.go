package geminitest

import "encoding/json"

// These types define the fields of a request. Gemini refuses any other field. Numbers are of type
// json.Number, because protobuf's JSON form also allows strings.

type object = map[string]any

type generateRequest struct {
	Model             string            `json:"model,omitempty"` // from the path
	Contents          []content         `json:"contents,omitempty"`
	SystemInstruction *content          `json:"systemInstruction,omitempty"`
	Tools             []tool            `json:"tools,omitempty"`
	ToolConfig        *toolConfig       `json:"toolConfig,omitempty"`
	SafetySettings    []safetySetting   `json:"safetySettings,omitempty"`
	GenerationConfig  *generationConfig `json:"generationConfig,omitempty"`
	CachedContent     string            `json:"cachedContent,omitempty"`
	ServiceTier       string            `json:"serviceTier,omitempty"`
	ContinuationToken string            `json:"continuationToken,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Store             *bool             `json:"store,omitempty"`
}

type countRequest struct {
	Contents               []content        `json:"contents,omitempty"`
	GenerateContentRequest *generateRequest `json:"generateContentRequest,omitempty"`
}

type content struct {
	Parts []part `json:"parts,omitempty"`
	Role  string `json:"role,omitempty"`
}

// part distinguishes an empty text, which counts as data, from a missing one.
type part struct {
	Text                *string           `json:"text,omitempty"`
	InlineData          *blob             `json:"inlineData,omitempty"`
	FileData            *fileData         `json:"fileData,omitempty"`
	FunctionCall        *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse    *functionResponse `json:"functionResponse,omitempty"`
	ExecutableCode      object            `json:"executableCode,omitempty"`
	CodeExecutionResult object            `json:"codeExecutionResult,omitempty"`
	ToolCall            object            `json:"toolCall,omitempty"`
	ToolResponse        object            `json:"toolResponse,omitempty"`

	Thought            bool   `json:"thought,omitempty"`
	ThoughtSignature   []byte `json:"thoughtSignature,omitempty"`
	VideoMetadata      object `json:"videoMetadata,omitempty"`
	MediaResolution    object `json:"mediaResolution,omitempty"`
	PartMetadata       object `json:"partMetadata,omitempty"`
	AudioTranscription object `json:"audioTranscription,omitempty"`
	MediaProcessing    string `json:"mediaProcessing,omitempty"`
	SpeechMetadata     object `json:"speechMetadata,omitempty"`
}

// blob and fileData have no displayName, because only Vertex AI accepts it.
type blob struct {
	Data     []byte `json:"data,omitempty"`
	MIMEType string `json:"mimeType,omitempty"`
}

type fileData struct {
	FileURI  string `json:"fileUri,omitempty"`
	MIMEType string `json:"mimeType,omitempty"`
}

type functionCall struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	Args object `json:"args,omitzero"`
}

type functionResponse struct {
	ID           string                 `json:"id,omitempty"`
	Name         string                 `json:"name,omitempty"`
	Response     object                 `json:"response,omitempty"`
	Parts        []functionResponsePart `json:"parts,omitempty"`
	Scheduling   string                 `json:"scheduling,omitempty"`
	WillContinue bool                   `json:"willContinue,omitempty"`
}

type functionResponsePart struct {
	InlineData      *blob     `json:"inlineData,omitempty"`
	FileData        *fileData `json:"fileData,omitempty"`
	MediaProcessing string    `json:"mediaProcessing,omitempty"`
}

type safetySetting struct {
	Category  string `json:"category,omitempty"`
	Threshold string `json:"threshold,omitempty"`
}

type generationConfig struct {
	Temperature                json.Number     `json:"temperature,omitempty"`
	TopP                       json.Number     `json:"topP,omitempty"`
	TopK                       json.Number     `json:"topK,omitempty"`
	CandidateCount             json.Number     `json:"candidateCount,omitempty"`
	MaxOutputTokens            json.Number     `json:"maxOutputTokens,omitempty"`
	StopSequences              []string        `json:"stopSequences,omitempty"`
	Seed                       json.Number     `json:"seed,omitempty"`
	Logprobs                   json.Number     `json:"logprobs,omitempty"`
	PresencePenalty            json.Number     `json:"presencePenalty,omitempty"`
	FrequencyPenalty           json.Number     `json:"frequencyPenalty,omitempty"`
	ResponseLogprobs           bool            `json:"responseLogprobs,omitempty"`
	ResponseMIMEType           string          `json:"responseMimeType,omitempty"`
	ResponseSchema             *schema         `json:"responseSchema,omitempty"`
	ResponseJSONSchema         any             `json:"responseJsonSchema,omitempty"`
	ResponseModalities         []string        `json:"responseModalities,omitempty"`
	MediaResolution            string          `json:"mediaResolution,omitempty"`
	SpeechConfig               object          `json:"speechConfig,omitempty"`
	ThinkingConfig             *thinkingConfig `json:"thinkingConfig,omitempty"`
	ImageConfig                object          `json:"imageConfig,omitempty"`
	EnableEnhancedCivicAnswers bool            `json:"enableEnhancedCivicAnswers,omitempty"`
	AudioTranscriptionConfig   object          `json:"audioTranscriptionConfig,omitempty"`
}

type thinkingConfig struct {
	IncludeThoughts bool        `json:"includeThoughts,omitempty"`
	ThinkingBudget  json.Number `json:"thinkingBudget,omitempty"`
	ThinkingLevel   string      `json:"thinkingLevel,omitempty"`
}
