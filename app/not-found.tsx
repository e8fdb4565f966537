/** Nothing at this address. */
import { PageHead } from './_ui/page-head.tsx'
import { Screen } from './_ui/screen.tsx'
import { frameOf, readVisit } from './_ui/visit.ts'

export default async function NotFound() {
  const visit = await readVisit()
  const frame = frameOf(visit, { path: '/', query: {} })
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('errors.notFound.title')} isProblem>
      <PageHead app={null} heading={t('errors.notFound.title')} />
      <p className="muted">{t('errors.notFound.body')}</p>
      <a className="btn wide" href="/">
        {t('errors.home', { site: siteName })}
      </a>
      {visit.reference !== null && (
        <p className="small muted">
          {t('errors.reference')} <span className="reference">{visit.reference}</span>
        </p>
      )}
    </Screen>
  )
}
