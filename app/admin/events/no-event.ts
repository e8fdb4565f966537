import { retentionSeconds } from '#lib/config/limits.ts'

/** Explains why a request ID has no request trace. */
export const noEventText = `No event is stored for this request ID. Page views, metadata and unknown addresses are only in the log of the server, and events are deleted after ${retentionSeconds.events / 86_400} days.`
