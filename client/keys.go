package client

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"
)

const (
	// maxKeys is how many keys the objects that are open may have together. It
	// bounds what scanning holds, at two MiB.
	maxKeys = 1 << 16
	// maxKey is how long a key may be.
	maxKey = 64 << 10
)

// keys are those of the objects that are open, from the outermost on, as a hash
// table without copies of them. Those of an object that ends are the last ones,
// and go before any other: a slot that was free when a key took it is free again.
type keys struct {
	seed  maphash.Seed
	all   []keyAt
	slots []uint32 // where in all, from 1 on; 0 is a free one
}

// A keyAt is where a key is written.
type keyAt struct {
	span
	hash uint32
}

// add takes up the key at a place, whose name is without escapes, unless its
// object, whose keys begin at base, has it. Where letters count, so does one that
// differs from it in capitals only.
func (k *keys) add(data []byte, at span, name []byte, base int, letters bool) error {
	if len(k.all) >= maxKeys {
		return errKeys
	}
	if 2*len(k.all) >= len(k.slots) {
		k.grow()
	}
	like := name
	if letters {
		like = fold(name)
	}
	// Objects within each other often have the same keys, and are told apart.
	hash := uint32(maphash.Bytes(k.seed, like)) + uint32(base)*0x9E3779B1
	slot := hash & uint32(len(k.slots)-1)
	for ; k.slots[slot] != 0; slot = (slot + 1) & uint32(len(k.slots)-1) {
		i := int(k.slots[slot]) - 1
		if i < base || k.all[i].hash != hash {
			continue
		}
		other := plainKey(data[k.all[i].from:k.all[i].to])
		switch {
		case bytes.Equal(other, name):
			return errTwice
		case letters && bytes.Equal(fold(other), like):
			return errVariant
		}
	}
	k.all = append(k.all, keyAt{at, hash})
	k.slots[slot] = uint32(len(k.all))
	return nil
}

// grow doubles the table.
func (k *keys) grow() {
	if k.slots == nil {
		k.seed = maphash.MakeSeed()
	}
	k.slots = make([]uint32, max(64, 2*len(k.slots)))
	for i, key := range k.all {
		k.slots[k.slot(key.hash, 0)] = uint32(i + 1)
	}
}

// slot is the one of a hash's that holds what.
func (k *keys) slot(hash, what uint32) uint32 {
	slot := hash & uint32(len(k.slots)-1)
	for k.slots[slot] != what {
		slot = (slot + 1) & uint32(len(k.slots)-1)
	}
	return slot
}

// drop forgets the keys from base on.
func (k *keys) drop(base int) {
	for n := len(k.all); n > base; n-- {
		k.slots[k.slot(k.all[n-1].hash, uint32(n))] = 0
	}
	k.all = k.all[:base]
}

// plainKey is a key without its escapes.
func plainKey(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return key
	}
	var name string
	quoted := append(append([]byte{'"'}, key...), '"')
	if json.Unmarshal(quoted, &name) != nil {
		return key
	}
	return []byte(name)
}

// fold is a key as careless readers compare it, which takes a long s for an s.
func fold(key []byte) []byte {
	plain := true
	for _, c := range key {
		plain = plain && c < 0x80 && (c < 'A' || c > 'Z')
	}
	if plain {
		return key
	}
	return []byte(strings.ReplaceAll(strings.ToLower(string(key)), "ſ", "s"))
}
