package element

// Fields is a bit set of the parts of an element that are known or wanted. Role, name and states
// are always known.
type Fields uint8

// The parts that cost extra calls.
const (
	FieldBounds Fields = 1 << iota
	FieldText
	FieldAttributes
	FieldActions
)

// AllFields contains all of them.
const AllFields = FieldBounds | FieldText | FieldAttributes | FieldActions
