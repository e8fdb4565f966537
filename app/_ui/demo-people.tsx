/** The demo users of a local server; their passwords are public. */
import { demoUsers } from '#lib/admin/configuration/demo.ts'
import type { Translate } from '#lib/i18n/translate.ts'

export function DemoPeople({ t }: { readonly t: Translate }) {
  return (
    <section className="stack" aria-labelledby="people">
      <h2 id="people">{t('home.demoPeople')}</h2>
      <ul className="list">
        {demoUsers.map(({ username, password }) => (
          <li key={username} className="mono" dir="ltr">
            {username} / {password}
          </li>
        ))}
      </ul>
    </section>
  )
}
