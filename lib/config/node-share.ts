/** The share of a node's limits and processors that one of its processes has. */

export type NodeShare = {
  /** The number of processes that share a limit of the node. */
  readonly workers: number
  /** The number of processors for this process. */
  readonly processors: number
}

/**
 * Returns the share of a limit. The shares of all workers do not exceed the limit, except that each worker has at least
 * 1.
 */
export function shareOf(limit: number, { workers }: Pick<NodeShare, 'workers'>): number {
  return Math.max(1, Math.floor(limit / workers))
}
