package neterr

import "syscall"

// These are the Windows error codes for connections (learn.microsoft.com: "Windows Sockets Error
// Codes" and "System Error Codes"). Winsock reports some failures with system error codes. Package
// syscall declares two of them, and only on Windows.
const (
	errorNetnameDeleted     syscall.Errno = 64
	errorBrokenPipe         syscall.Errno = 109
	errorSemTimeout         syscall.Errno = 121
	errorConnectionRefused  syscall.Errno = 1225
	errorNetworkUnreachable syscall.Errno = 1231
	errorHostUnreachable    syscall.Errno = 1232
	errorConnectionAborted  syscall.Errno = 1236
	wsaENetDown             syscall.Errno = 10050
	wsaENetUnreach          syscall.Errno = 10051
	wsaENetReset            syscall.Errno = 10052
	wsaEConnAborted         syscall.Errno = 10053
	wsaEConnReset           syscall.Errno = 10054
	wsaETimedOut            syscall.Errno = 10060
	wsaEConnRefused         syscall.Errno = 10061
	wsaEHostDown            syscall.Errno = 10064
	wsaEHostUnreach         syscall.Errno = 10065
	wsaHostNotFound         syscall.Errno = 11001
	wsaTryAgain             syscall.Errno = 11002
	wsaNoRecovery           syscall.Errno = 11003
	wsaNoData               syscall.Errno = 11004
)

// kindOfWindows returns the kind of a Windows error code. It compiles on every system, so that its
// test can run everywhere.
func kindOfWindows(number syscall.Errno) Kind {
	switch number {
	case wsaHostNotFound, wsaNoData:
		return NoSuchHost
	case wsaTryAgain, wsaNoRecovery:
		return LookupFailed
	case wsaEConnRefused, errorConnectionRefused:
		return Refused
	case wsaENetUnreach, wsaEHostUnreach, wsaENetDown, wsaEHostDown, errorNetworkUnreachable, errorHostUnreachable:
		return Unreachable
	case wsaEConnReset, wsaEConnAborted, wsaENetReset, errorNetnameDeleted, errorBrokenPipe, errorConnectionAborted:
		return Reset
	case wsaETimedOut, errorSemTimeout:
		return Timeout
	}
	return Unknown
}
