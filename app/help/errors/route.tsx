/** The meaning of each error code: `docs/errors.md`, for the links of the error pages. In English, as the codes are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fragment, type ReactNode } from 'react'
import { hostedPage } from '#app/_ui/hosted-route.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { translate } from '#lib/i18n/translate.ts'
import { Screen } from '#lib/pages/screen.tsx'

const path = join(process.cwd(), 'docs/errors.md')
let text: string | undefined

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/help/errors', page => {
  text ??= readFileSync(path, 'utf8')
  const frame = { ...pageFrame(page), locale: 'en', t: translate('en'), isMonolingual: true } as const
  return pageReply(
    frame,
    <Screen frame={frame} title={`Errors · ${frame.siteName}`} layout="column">
      <div className="panel prose">
        <Markdown text={text} />
      </div>
    </Screen>,
  )
})

/** The part of Markdown that the document uses: headings, paragraphs, code. The heading of a code has it as its id. */
function Markdown({ text }: { readonly text: string }) {
  const blocks = text.split(/\n{2,}(?=[^ ])|(?<=^#.*)\n/m).map(block => block.trim())
  return blocks.filter(block => block !== '').map(block => <Fragment key={block}>{blockOf(block)}</Fragment>)
}

function blockOf(text: string): ReactNode {
  const [, marks = '', heading = ''] = /^(#{1,3}) (.*)$/.exec(text) ?? []
  const [, code] = /^```\w*\n([\s\S]*?)\n?```$/.exec(text) ?? []
  if (code !== undefined) return <pre className="code">{code}</pre>
  const id = /^`(\w+)`/.exec(heading)?.[1]
  if (marks === '#') return <h1>{inline(heading)}</h1>
  if (marks === '##') return <h2 id={id}>{inline(heading)}</h2>
  return marks === '###' ? <h3 id={id}>{inline(heading)}</h3> : <p>{inline(text)}</p>
}

/** Code between backticks; of links, only their text: the other documents are not served. */
function inline(text: string): readonly ReactNode[] {
  const parts = text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').split('`')
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
      <code className="mono" key={index}>
        {part}
      </code>
    ),
  )
}
