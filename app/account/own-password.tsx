import type { Translate } from '#lib/i18n/translate.ts'

/** The way to another password, for people who have one here. */
export function OwnPassword({ t }: { readonly t: Translate }) {
  return (
    <section className="panel" aria-labelledby="password">
      <header>
        <h2 id="password">{t('account.password')}</h2>
        <p className="small muted">{t('account.passwordLead')}</p>
      </header>
      <div>
        <a className="btn small" href="/account/password">
          {t('account.passwordChange')}
        </a>
      </div>
    </section>
  )
}
