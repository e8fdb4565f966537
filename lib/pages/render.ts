import type { ReactElement } from 'react'

// NOTE: Next refuses a static import of this package in a route handler, and accepts a dynamic one
const { renderToStaticMarkup } = await import('react-dom/server')

/** Renders a whole document to HTML, without the markup that only a framework's script would need. */
export function renderDocument(document: ReactElement): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(document)}`
}
