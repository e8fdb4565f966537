/** The functions of the core and of identity that routes and pages call, bound to the ports of this process. */
import { type Requester, withHiddenClients } from '#lib/admin/clients/client-test/hidden-client.ts'
import { playgroundClients } from '#lib/admin/playground-clients.ts'
import { type AuthorizeInput, authorize } from '#lib/core/authorize/authorize.ts'
import { loginHintDiffers } from '#lib/core/authorize/hints.ts'
import { findPending } from '#lib/core/authorize/pending.ts'
import {
  cancelRequest,
  chooseAccount,
  isSignedInFor,
  type ResumeInput,
  resume,
} from '#lib/core/authorize/resume.ts'
import { answerConsent, consentView } from '#lib/core/consent/consent.ts'
import { discovery, keySet } from '#lib/core/discovery/discovery.ts'
import { introspect } from '#lib/core/introspection/introspection.ts'
import { endSession, openSignOutRequest } from '#lib/core/logout/end-session.ts'
import { revoke } from '#lib/core/revocation/revocation.ts'
import { token } from '#lib/core/token/token.ts'
import { userinfo } from '#lib/core/userinfo/userinfo.ts'
import { validateAccessToken, validateIdentityToken } from '#lib/core/validation/validation.ts'
import { hasStampingHost } from '#lib/http/stamped-headers.ts'
import {
  accountActivity,
  accountNames,
  accountView,
  endAllOtherSessions,
  endOtherSession,
  usernameOf,
} from '#lib/identity/account.ts'
import { removePermissions, revokeApp } from '#lib/identity/connected-apps.ts'
import { providerForEmail, providerName } from '#lib/identity/external-provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '#lib/identity/external-sign-in.ts'
import { chooseNewPassword, newPasswordView } from '#lib/identity/new-password.ts'
import { changeOwnPassword, passwordOwner } from '#lib/identity/own-password.ts'
import { completePartialSignIn } from '#lib/identity/partial-sign-in.ts'
import { currentSession, signOut, signOutView } from '#lib/identity/session.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { requireKnownAddresses } from './host/admin-allow-list.ts'
import { adminCaller } from './wiring/admin-caller.ts'
import { buildAdminPorts, buildPorts } from './wiring/ports.ts'
import { type Resources, resources } from './wiring/resources.ts'

export type Services = ReturnType<typeof createServices>

let wired: Promise<Services> | undefined

/** Opens the process's resources on first use. Next has its own copy of this module, which binds its own functions. */
export function openServices(): Promise<Services> {
  wired ??= resources().then(createServices)
  return wired
}

function createServices(opened: Resources) {
  requireKnownAddresses(opened.config, hasStampingHost())
  const ports = buildPorts(opened)
  const admin = buildAdminPorts(opened, ports)
  return {
    config: opened.config,
    log: opened.log,
    events: ports.events,
    sealing: opened.sealing,
    random: opened.random,
    ping: () => opened.storage.ping(),
    allowsOrigin: (origin: string) => ports.clients.allowsOrigin(origin),
    playgroundClients: async (redirectUri: string) => {
      const { demo, issuer } = opened.config
      const demoOf = demo ? issuer : null
      return playgroundClients(await opened.storage.configuration.read(), { redirectUri, demoOf })
    },
    ...bindAll(() => ports, { ...protocolFunctions, ...accountFunctions }),
    providerForEmail,
    /** For `/login` without a pending request. */
    enabledProviders: async () => (await ports.providers.all()).filter(provider => provider.enabled),
    accountActivity: (session: Session) => accountActivity(opened.storage.eventLog, session),
    ...signInServices(requester => withHiddenClients(ports, opened.storage.adminFlashes, requester)),
    /** The ports of the dashboard's use cases. */
    admin,
    adminCaller: (authorization: string | null, context: RequestContext) =>
      adminCaller(admin, authorization, context),
  }
}

const protocolFunctions = {
  token,
  userinfo,
  validateAccessToken,
  validateIdentityToken,
  introspect,
  revoke,
  endSession,
  openSignOutRequest,
  discovery,
  keySet,
}
const accountFunctions = {
  currentSession,
  signOut,
  signOutView,
  providerName,
  passwordOwner,
  changeOwnPassword,
  accountView,
  usernameOf,
  accountNames,
  revokeApp,
  removePermissions,
  endOtherSession,
  endAllOtherSessions,
}
const signInFunctions = {
  findPending,
  isSignedInFor,
  loginHintDiffers,
  consentView,
  answerConsent,
  chooseAccount,
  cancelRequest,
  signIn,
  startExternalSignIn,
  completeExternalSignIn,
  completePartialSignIn,
  newPasswordView,
  chooseNewPassword,
}

/**
 * The authorization endpoint, its pages and the sign-in. Only here the hidden clients of client tests exist, in ports that are
 * made for each call.
 */
function signInServices(portsFor: (requester: Requester) => Ports) {
  return {
    authorize: (input: AuthorizeInput, context: RequestContext) =>
      authorize(portsFor(input.session), input, context),
    resume: (input: ResumeInput, context: RequestContext) => resume(portsFor(input.session), input, context),
    ...bindAll(() => portsFor('accepted'), signInFunctions),
  }
}

type WithPorts = (ports: Ports, ...input: never[]) => unknown
type Bound<F> = F extends (ports: Ports, ...input: infer Input) => infer Outcome
  ? (...input: Input) => Outcome
  : never

/** The functions without their first parameter, for which each call gets new ports. */
function bindAll<F extends Readonly<Record<string, WithPorts>>>(ports: () => Ports, functions: F) {
  const bound = Object.entries(functions).map(([name, run]) => [
    name,
    (...input: never[]) => run(ports(), ...input),
  ])
  return Object.fromEntries(bound) as { readonly [Name in keyof F]: Bound<F[Name]> }
}
