package paging

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Get returns the value of a field of an item: a string, an int64, a float64 or a bool.
type Get[T any] func(item T, field string) any

// An Order defines how to sort a list. The zero value keeps the order of the list.
type Order []Key

// A Key is one field of an order.
type Key struct {
	Field string
	Desc  bool
}

// ParseOrder parses an order_by such as "title, z_order desc". fields are the fields of the list.
func ParseOrder(orderBy string, fields ...string) (Order, error) {
	if strings.TrimSpace(orderBy) == "" {
		return nil, nil
	}
	var order Order
	for part := range strings.SplitSeq(orderBy, ",") {
		words := strings.Fields(part)
		if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "asc" && words[1] != "desc" {
			return nil, fmt.Errorf("order_by %q is wrong at %q; write fields with asc or desc, such as %q", orderBy, strings.TrimSpace(part), fields[0]+" desc")
		}
		if !slices.Contains(fields, words[0]) {
			return nil, fmt.Errorf("order_by names the field %q; this list has %s", words[0], strings.Join(fields, ", "))
		}
		if slices.ContainsFunc(order, func(k Key) bool { return k.Field == words[0] }) {
			return nil, fmt.Errorf("order_by names the field %q twice", words[0])
		}
		order = append(order, Key{words[0], len(words) == 2 && words[1] == "desc"})
	}
	return order, nil
}

// Sort sorts items. Items that compare equal keep their order.
func Sort[T any](items []T, order Order, get Get[T]) {
	if len(order) == 0 {
		return
	}
	slices.SortStableFunc(items, func(a, b T) int {
		for _, k := range order {
			c := compare(get(a, k.Field), get(b, k.Field))
			if k.Desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

// compare compares two values of a field.
func compare(a, b any) int {
	switch a := a.(type) {
	case string:
		b, _ := b.(string)
		return cmp.Compare(a, b)
	case int64:
		b, _ := b.(int64)
		return cmp.Compare(a, b)
	case float64:
		b, _ := b.(float64)
		return cmp.Compare(a, b)
	case bool:
		b, _ := b.(bool)
		switch {
		case a == b:
			return 0
		case b:
			return -1
		}
		return 1
	}
	return 0
}
