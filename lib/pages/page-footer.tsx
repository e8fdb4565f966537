/** The site, help, sign-out, and the other languages, each by its own name. */
import { locales } from '#lib/i18n/locales.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Frame } from './frame.ts'
import { KeyMark } from './key-mark.tsx'

export function PageFooter(frame: Frame) {
  return (
    <footer className="foot">
      <span className="brand">
        <KeyMark size={16} />
        {frame.siteName}
      </span>
      {frame.help != null && <a href={frame.help}>{frame.t('frame.help')}</a>}
      {frame.offersSignOut === true && <SignOut t={frame.t} />}
      {frame.isMonolingual !== true && <LanguageMenu {...frame} />}
    </footer>
  )
}

function SignOut({ t }: Pick<Frame, 't'>) {
  return (
    <form method="post" action="/logout/submit">
      <button type="submit" className="btn plain">
        {t('account.signOut')}
      </button>
    </form>
  )
}

function LanguageMenu({ t, locale, here }: Frame) {
  return (
    <form method="post" action="/language" aria-label={t('frame.language')}>
      <input type="hidden" name="back" value={here} />
      {locales
        .filter(other => other !== locale)
        .map(other => (
          <button type="submit" className="btn plain" key={other} name="locale" value={other} lang={other}>
            {translate(other)('locale.name')}
          </button>
        ))}
    </form>
  )
}
