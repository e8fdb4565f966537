/** The part of a node's limits and processors that is for one of its processes. */

export type NodeShare = {
  /** The processes among which a limit of the node is divided. */
  readonly workers: number
  /** The processors for this process. */
  readonly processors: number
}

/** Never more than the limit for all workers together, except that each has at least 1. */
export function shareOf(limit: number, { workers }: Pick<NodeShare, 'workers'>): number {
  return Math.max(1, Math.floor(limit / workers))
}
