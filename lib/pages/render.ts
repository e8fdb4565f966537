import type { ReactElement } from 'react'
const { renderToStaticMarkup } = await import('react-dom/server')
export function renderDocument(document: ReactElement): string {
  const n = Number(process.env.RLOOP ?? 0)
  if (n > 0) {
    for (let k = 0; k < 4; k++) {
      const c = process.cpuUsage()
      for (let i = 0; i < n; i++) renderToStaticMarkup(document)
      const d = process.cpuUsage(c)
      console.error('RENDER us', ((d.user + d.system) / n).toFixed(1))
    }
  }
  return `<!DOCTYPE html>${renderToStaticMarkup(document)}`
}
