package element

// Fields say which parts of an element are known, or wanted, one bit each. Role, name
// and states are always known.
type Fields uint8

// The parts that cost calls of their own.
const (
	FieldBounds Fields = 1 << iota
	FieldText
	FieldAttributes
	FieldActions
)

// AllFields are all of them.
const AllFields = FieldBounds | FieldText | FieldAttributes | FieldActions
