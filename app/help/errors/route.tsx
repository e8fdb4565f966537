/** The page that explains each error code, to which error pages link. It is in English, as the codes are. */
import { hostedPage } from '#app/_ui/hosted-route.ts'
import { WithCode } from '#app/_ui/with-code.tsx'
import { catalogSections, statusRemark } from '#lib/errors/catalog.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { translate } from '#lib/i18n/translate.ts'
import { Screen } from '#lib/pages/screen.tsx'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/help/errors', page => {
  const frame = { ...pageFrame(page), locale: 'en', t: translate('en'), isMonolingual: true } as const
  return pageReply(
    frame,
    <Screen frame={frame} title={`Errors · ${frame.siteName}`} layout="column">
      <div className="panel prose">
        <h1>Errors</h1>
        <p>
          Every refusal has an error code. A client receives it as JSON or at its redirect URI; a user sees an
          error page. Every response has a request ID in the header{' '}
          <code className="mono">X-Reference-Id</code>; the log and the dashboard contain the exact reason
          under it.
        </p>
        {catalogSections.map(section => (
          <Section key={section.title} {...section} />
        ))}
        <p>
          <a href={browserAddress('/')}>Go to the start page of {frame.siteName}</a>
        </p>
      </div>
    </Screen>,
  )
})

function Section({ title, note, codes }: (typeof catalogSections)[number]) {
  return (
    <>
      <h2>{title}</h2>
      {note !== undefined && <p>{note}</p>}
      {Object.entries(codes).flatMap(([code, row]) => [
        <h3 key={code} id={code}>
          <code className="mono">{code}</code>
          <span className="muted">{statusRemark(row)}</span>
        </h3>,
        <p key={`${code} explanation`}>
          <WithCode text={row.explanation} />
        </p>,
      ])}
    </>
  )
}
