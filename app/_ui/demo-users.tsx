import { demoUsers } from '#lib/admin/configuration/demo.ts'
import type { Translate } from '#lib/i18n/translate.ts'

/** The demo users, with their public passwords. */
export function DemoUsers({ t }: { readonly t: Translate }) {
  return (
    <section className="stack" aria-labelledby="users">
      <h2 id="users">{t('home.demoUsers')}</h2>
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
