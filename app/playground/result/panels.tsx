/** The panels of the result page, with a token or with a request and its response. */
import { Panel, type PanelProps } from '#app/_ui/panel.tsx'
import { type CodeBlockProps, JsonView, type Kit, TokenView } from '#app/_ui/token-view.tsx'
import { readToken } from '#lib/admin/flow-runs/token-content.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { CopyButton } from '#lib/pages/copy-button.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { TimeText } from '#lib/pages/time-text.tsx'
import type { Call } from '../own-endpoints.ts'

export type CallPanelProps = PanelProps & { readonly call: Call }

/** A request that the playground has sent, and its response. */
export function CallPanel({ call, ...panel }: CallPanelProps) {
  const { t } = panel.frame
  const status = String(call.status)
  const response = { id: `${panel.id}-response`, label: t('playground.response', { status }) }
  return (
    <Panel {...panel}>
      <CodeBlock t={t} id={`${panel.id}-request`} label={t('playground.request')}>
        {call.request}
      </CodeBlock>
      {call.body === null ? (
        <CodeBlock t={t} {...response}>
          {t('playground.noBody')}
        </CodeBlock>
      ) : (
        <JsonView kit={kitOf(panel.frame)} {...response} value={call.body} />
      )}
    </Panel>
  )
}

/** The content of a token, and the text that is sent. */
export function TokenPanel({ token, hint, ...panel }: PanelProps & { readonly token: string | undefined }) {
  if (token === undefined) return null
  const { id, frame } = panel
  const { t } = frame
  const read = readToken(token)
  return (
    <Panel {...panel} hint={read === null ? 'playground.reference' : hint}>
      {read !== null && <TokenView words={frame} kit={kitOf(frame)} id={id} token={read} />}
      <CodeBlock t={t} id={`${id}-raw`} label={t('playground.raw')}>
        {token}
      </CodeBlock>
    </Panel>
  )
}

function kitOf({ t, locale }: Frame): Kit {
  return {
    JsonBlock: ({ text: _text, ...block }) => <CodeBlock t={t} {...block} />,
    Time: ({ at }) => <TimeText at={at} locale={locale} />,
  }
}

/** A named block of code, which scrolls sideways instead of breaking words. */
export function CodeBlock({ t, id, label, children }: CodeBlockProps & { readonly t: Translate }) {
  return (
    <figure>
      <figcaption className="small faint">
        {label}
        <CopyButton t={t} of={id} name={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code" id={id} dir="ltr" tabIndex={0}>
        {children}
      </pre>
    </figure>
  )
}
