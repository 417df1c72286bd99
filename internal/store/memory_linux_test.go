package store_test

import "syscall"

// memoryFolder returns a folder in memory, or "" if this computer has none with room for the files of
// all tests. The tests commit thousands of times: on a disk, a quarter of their processor time went
// into the file system.
func memoryFolder() string {
	const folder, room = "/dev/shm", 1 << 30
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < room {
		return ""
	}
	return folder
}
