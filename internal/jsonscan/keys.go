package jsonscan

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"
)

const (
	// maxKeys limits the keys of all open objects together. That limits the memory of a scan to 2
	// MiB.
	maxKeys = 1 << 16
	// maxKey limits the length of one key, in bytes.
	maxKey = 64 << 10
)

// keys is a hash table of the keys of all open objects, outermost first. It does not copy the keys.
// The keys of the object that ends next are always the last ones, so drop frees exactly their
// slots.
type keys struct {
	seed  maphash.Seed
	all   []keyAt
	slots []uint32 // 1 + index in all; 0: free
}

// A keyAt is the position of a key.
type keyAt struct {
	span
	hash uint32
}

// add adds the key at a position, whose unescaped name is name. It fails if the object, whose keys
// start at index base, already has the key. If letters is set, it also fails if the object has a
// key that differs only in case.
func (k *keys) add(data []byte, at span, name []byte, base int, letters bool) error {
	if len(k.all) >= maxKeys {
		return ErrTooManyKeys
	}
	if 2*len(k.all) >= len(k.slots) {
		k.grow()
	}
	like := name
	if letters {
		like = fold(name)
	}
	// Nested objects often have the same keys, so base makes their hashes differ.
	hash := uint32(maphash.Bytes(k.seed, like)) + uint32(base)*0x9E3779B1
	slot := hash & uint32(len(k.slots)-1)
	for ; k.slots[slot] != 0; slot = (slot + 1) & uint32(len(k.slots)-1) {
		i := int(k.slots[slot]) - 1
		if i < base || k.all[i].hash != hash {
			continue
		}
		other := unescape(data[k.all[i].from:k.all[i].to])
		switch {
		case bytes.Equal(other, name):
			return ErrDuplicateKey
		case letters && bytes.Equal(fold(other), like):
			return ErrKeyCase
		}
	}
	k.all = append(k.all, keyAt{at, hash})
	k.slots[slot] = uint32(len(k.all))
	return nil
}

// clear removes all keys. It keeps the allocated table unless that is very large.
func (k *keys) clear() {
	if len(k.slots) > 4096 {
		*k = keys{}
		return
	}
	k.all = k.all[:0]
	clear(k.slots)
}

// grow doubles the size of the table.
func (k *keys) grow() {
	if k.slots == nil {
		k.seed = maphash.MakeSeed()
	}
	k.slots = make([]uint32, max(64, 2*len(k.slots)))
	for i, key := range k.all {
		k.slots[k.slot(key.hash, 0)] = uint32(i + 1)
	}
}

// slot returns the index of the slot that contains what, starting at a hash.
func (k *keys) slot(hash, what uint32) uint32 {
	slot := hash & uint32(len(k.slots)-1)
	for k.slots[slot] != what {
		slot = (slot + 1) & uint32(len(k.slots)-1)
	}
	return slot
}

// drop removes all keys from index base on.
func (k *keys) drop(base int) {
	for n := len(k.all); n > base; n-- {
		k.slots[k.slot(k.all[n-1].hash, uint32(n))] = 0
	}
	k.all = k.all[:base]
}

// unescape resolves the escapes of a key.
func unescape(key []byte) []byte {
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

// fold returns the form of a key that case-insensitive readers compare: in lower case, and with an
// s in place of the long s.
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
