package proc

// These are the limits of a job object under their Windows names. Tests on all systems use them.
const (
	jobBreakaway       = 0x00000800 // JOB_OBJECT_LIMIT_BREAKAWAY_OK
	jobSilentBreakaway = 0x00001000 // JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
	jobKillOnClose     = 0x00002000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
)

// jobFlags returns the limits of a server's job. The job ends when goated's handle, the last one,
// closes, and no process can leave the job.
func jobFlags() uint32 { return jobKillOnClose }
