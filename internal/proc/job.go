package proc

// The limits of a job object as Windows names them; tests of all systems use them.
const (
	jobBreakaway       = 0x00000800 // JOB_OBJECT_LIMIT_BREAKAWAY_OK
	jobSilentBreakaway = 0x00001000 // JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
	jobKillOnClose     = 0x00002000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
)

// jobFlags end a job with its last handle, which is goated's, and let no process
// leave the job.
func jobFlags() uint32 { return jobKillOnClose }
