package geminitest

import "encoding/json"

type tool struct {
	FunctionDeclarations  []functionDeclaration `json:"functionDeclarations,omitempty"`
	ComputerUse           object                `json:"computerUse,omitempty"`
	FileSearch            object                `json:"fileSearch,omitempty"`
	GoogleSearch          object                `json:"googleSearch,omitempty"`
	GoogleSearchRetrieval object                `json:"googleSearchRetrieval,omitempty"`
	GoogleMaps            object                `json:"googleMaps,omitempty"`
	CodeExecution         object                `json:"codeExecution,omitempty"`
	URLContext            object                `json:"urlContext,omitempty"`
	MCPServers            []object              `json:"mcpServers,omitempty"`
}

type functionDeclaration struct {
	Name                 string  `json:"name,omitempty"`
	Description          string  `json:"description,omitempty"`
	Parameters           *schema `json:"parameters,omitempty"`
	ParametersJSONSchema any     `json:"parametersJsonSchema,omitempty"`
	Response             *schema `json:"response,omitempty"`
	ResponseJSONSchema   any     `json:"responseJsonSchema,omitempty"`
	Behavior             string  `json:"behavior,omitempty"`
}

// schema is the OpenAPI form of a schema: the type of `parameters`.
type schema struct {
	Type             string            `json:"type,omitempty"`
	Format           string            `json:"format,omitempty"`
	Title            string            `json:"title,omitempty"`
	Description      string            `json:"description,omitempty"`
	Nullable         *bool             `json:"nullable,omitempty"`
	Enum             []string          `json:"enum,omitempty"`
	Items            *schema           `json:"items,omitempty"`
	MinItems         json.Number       `json:"minItems,omitempty"`
	MaxItems         json.Number       `json:"maxItems,omitempty"`
	Properties       map[string]schema `json:"properties,omitempty"`
	PropertyOrdering []string          `json:"propertyOrdering,omitempty"`
	Required         []string          `json:"required,omitempty"`
	MinProperties    json.Number       `json:"minProperties,omitempty"`
	MaxProperties    json.Number       `json:"maxProperties,omitempty"`
	MinLength        json.Number       `json:"minLength,omitempty"`
	MaxLength        json.Number       `json:"maxLength,omitempty"`
	Pattern          string            `json:"pattern,omitempty"`
	Minimum          json.Number       `json:"minimum,omitempty"`
	Maximum          json.Number       `json:"maximum,omitempty"`
	AnyOf            []schema          `json:"anyOf,omitempty"`
	Default          any               `json:"default,omitempty"`
	Example          any               `json:"example,omitempty"`
}

type toolConfig struct {
	FunctionCallingConfig            *functionCallingConfig `json:"functionCallingConfig,omitempty"`
	RetrievalConfig                  object                 `json:"retrievalConfig,omitempty"`
	IncludeServerSideToolInvocations *bool                  `json:"includeServerSideToolInvocations,omitempty"`
}

type functionCallingConfig struct {
	Mode                        string   `json:"mode,omitempty"`
	AllowedFunctionNames        []string `json:"allowedFunctionNames,omitempty"`
	StreamFunctionCallArguments *bool    `json:"streamFunctionCallArguments,omitempty"`
}
