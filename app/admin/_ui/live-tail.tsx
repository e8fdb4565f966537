/** Where the list says that something new came; `behaviour/tail.ts` asks for it. */
type LiveTailProps = { readonly newest: string | null; readonly query: string; readonly isFirstPage: boolean }

export function LiveTail({ newest, query, isFirstPage }: LiveTailProps) {
  if (newest === null || !isFirstPage) return null
  return <span className="small" aria-live="polite" data-newest={newest} data-query={query} />
}
