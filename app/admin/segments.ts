/** What Next hands to a page below a dynamic segment. */
import type { PageInput } from '#app/_ui/visit.ts'
import { nameInSegment } from '#lib/admin/page-segment.ts'

export type DetailInput = PageInput & { readonly params: Promise<{ readonly id: string }> }

/** NOTE: Next leaves what stands in the address percent-encoded. */
export async function idOf({ params }: Pick<DetailInput, 'params'>): Promise<string> {
  const { id } = await params
  try {
    return nameInSegment(decodeURIComponent(id))
  } catch (error) {
    if (error instanceof URIError) return id
    throw error
  }
}
