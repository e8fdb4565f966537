/** The page where users who lost all passkeys have them removed after some days. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { withCarried } from '#app/(interaction)/login/sign-in-step.ts'
import { lostPasskeys as limits } from '#lib/config/limits.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  canLosePasskeys,
  hasTwoRecentFactors,
  plannedRemoval,
  reportLostPasskeys,
} from '#lib/identity/passkeys/lost-passkeys.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { confirmPath, lostPasskeysPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'
import { type OwnSession, ownSession } from '../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLost, LostPage),
  formHandler(report, readForm),
)

/**
 * Returns the session of a user who entered the password and a code just now. Users who have not are first asked for them; those who
 * used a passkey instead have not lost it.
 */
async function losingSession(
  exchange: Exchange<Services> & { readonly form?: FormFields },
): Promise<OwnSession> {
  const own = await ownSession(exchange, { user: exchange.form?.user ?? null, back: path })
  if ('elsewhere' in own) return own
  const { ports } = exchange.services
  const { session } = own
  if (!(await canLosePasskeys(ports, session))) return { elsewhere: seeOther('/account') }
  if ((await plannedRemoval(ports, session.subject)) !== null)
    return { elsewhere: seeOther('/account#passkeys') }
  if (hasTwoRecentFactors(ports, session)) return own
  return { elsewhere: seeOther(withCarried(confirmPath, { pending: null, back: path })) }
}

async function readLost(page: PageExchange): Promise<PageContent<{ readonly subject: string }>> {
  const found = await losingSession(page)
  if ('elsewhere' in found) return found
  return { shown: { subject: found.session.subject }, frame: { offersSignOut: true } }
}

function LostPage({ frame, subject }: { readonly frame: Frame; readonly subject: string }) {
  const { t, siteName } = frame
  const days = limits.waitDays
  return (
    <Screen frame={frame} title={t('lostPasskeys.title', { name: siteName })}>
      <PageHead app={null} heading={t('lostPasskeys.heading')}>
        <p className="small muted">{t('lostPasskeys.lead', { days })}</p>
      </PageHead>
      <p>{t('lostPasskeys.waiting', { days })}</p>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <SubmitButton label={t('lostPasskeys.submit', { days })} busy={t('password.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function report(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await losingSession(posted)
  if ('elsewhere' in found) return found.elsewhere
  const { services, context } = posted
  const isReported = await reportLostPasskeys(services.ports, found.session, context)
  return seeOther(isReported ? '/account?done=passkeys_lost' : path)
}
