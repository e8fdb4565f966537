/** The part of Markdown that `docs/errors.md` uses: headings, paragraphs, code. A heading of one code has it as its id. */
import { createElement, Fragment, type ReactNode } from 'react'

export function Markdown({ text }: { readonly text: string }) {
  const blocks = text.split(/\n{2,}(?=[^ ])|(?<=^#.*)\n/m).map(block => block.trim())
  return createElement(Fragment, null, ...blocks.filter(block => block !== '').map(blockOf))
}

function blockOf(text: string): ReactNode {
  const [, marks = '', heading = ''] = /^(#{1,3}) (.*)$/.exec(text) ?? []
  const [, code] = /^```\w*\n([\s\S]*?)\n?```$/.exec(text) ?? []
  if (code !== undefined) return createElement('pre', { className: 'code' }, code)
  if (marks === '') return createElement('p', null, ...inline(text))
  return createElement(`h${marks.length}`, { id: /^`(\w+)`/.exec(heading)?.[1] }, ...inline(heading))
}

/** Code between backticks; of links, only their text: the other documents are not served. */
function inline(text: string): readonly ReactNode[] {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? createElement('code', { className: 'mono' }, part) : part))
}
