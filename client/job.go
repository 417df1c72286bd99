package client

// What Windows calls the limits of a job object, for the tests of every system.
const (
	jobBreakaway       = 0x00000800 // JOB_OBJECT_LIMIT_BREAKAWAY_OK
	jobSilentBreakaway = 0x00001000 // JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
	jobKillOnClose     = 0x00002000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
)

// jobFlags has a job end with its last handle, which is goated's, and lets
// nothing break away.
func jobFlags() uint32 { return jobKillOnClose }
