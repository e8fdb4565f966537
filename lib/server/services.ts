/** What routes and pages call: the functions of the core and of identity, bound to this process's ports. */
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
import { answerConsent, type ConsentInput, consentView } from '#lib/core/consent/consent.ts'
import { type DiscoveryShape, discovery, keySet } from '#lib/core/discovery/discovery.ts'
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
  revokeApp,
  usernameOf,
} from '#lib/identity/account.ts'
import { providerForEmail, providerName } from '#lib/identity/external-provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '#lib/identity/external-sign-in.ts'
import { chooseNewPassword, newPasswordView } from '#lib/identity/new-password.ts'
import { changeOwnPassword, passwordOwner } from '#lib/identity/own-password.ts'
import type { PartialProof } from '#lib/identity/partial-sign-in.ts'
import { completePartialSignIn } from '#lib/identity/partial-sign-in.ts'
import { currentSession, signOut, signOutView } from '#lib/identity/session.ts'
import { signIn } from '#lib/identity/sign-in.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, PendingHandle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { requireKnownAddresses } from './host/admin-allow-list.ts'
import { adminCaller } from './wiring/admin-caller.ts'
import { buildAdminPorts, buildPorts } from './wiring/ports.ts'
import { type Resources, resources } from './wiring/resources.ts'

export type Services = ReturnType<typeof createServices>

let wired: Promise<Services> | undefined

/** Opens the process's resources on first use. Each host's copy of this module binds its own functions. */
export function services(): Promise<Services> {
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
    ...protocolOf(ports),
    ...accountOf(ports),
    accountActivity: (session: Session) => accountActivity(opened.storage.eventLog, session),
    ...interactionOf(requester => withHiddenClients(ports, opened.storage.adminFlashes, requester)),
    /** For the dashboard, whose pages and forms call the use cases of `lib/admin` with it. */
    admin,
    adminCaller: (authorization: string | null, context: RequestContext) =>
      adminCaller(admin, authorization, context),
  }
}

function protocolOf(ports: Ports) {
  const bind = binder(() => ports)
  return {
    token: bind(token),
    userinfo: bind(userinfo),
    validateAccessToken: bind(validateAccessToken),
    validateIdentityToken: bind(validateIdentityToken),
    introspect: bind(introspect),
    revoke: bind(revoke),
    endSession: bind(endSession),
    discovery: (shape: DiscoveryShape) => discovery(ports, shape),
    keySet: () => keySet(ports),
  }
}

/**
 * The authorization endpoint, its pages and the sign-in. Only here do the hidden clients of client tests exist, in ports
 * that are made for each call.
 */
function interactionOf(portsFor: (requester: Requester) => Ports) {
  const ports = () => portsFor('accepted')
  const bind = binder(ports)
  return {
    authorize: (input: AuthorizeInput, context: RequestContext) =>
      authorize(portsFor(input.session), input, context),
    resume: (input: ResumeInput, context: RequestContext) => resume(portsFor(input.session), input, context),
    findPending: (pending: PendingHandle | null, browser: BrowserHandle | null) =>
      findPending(ports(), pending, browser),
    isSignedInFor: (asked: Parameters<typeof isSignedInFor>[1]) => isSignedInFor(ports(), asked),
    loginHintDiffers: (expected: Parameters<typeof loginHintDiffers>[1]) =>
      loginHintDiffers(ports(), expected),
    consentView: (input: ConsentInput) => consentView(ports(), input),
    answerConsent: bind(answerConsent),
    chooseAccount: bind(chooseAccount),
    cancelRequest: bind(cancelRequest),
    signIn: bind(signIn),
    startExternalSignIn: bind(startExternalSignIn),
    completeExternalSignIn: bind(completeExternalSignIn),
    completePartialSignIn: bind(completePartialSignIn),
    newPasswordView: (proof: PartialProof) => newPasswordView(ports(), proof),
    chooseNewPassword: bind(chooseNewPassword),
  }
}

function accountOf(ports: Ports) {
  const bind = binder(() => ports)
  return {
    /** The providers for a visit to `/login` without a pending request. */
    enabledProviders: async () => (await ports.providers.all()).filter(provider => provider.enabled),
    openSignOutRequest: (sealed: string | null) => openSignOutRequest(ports, sealed),
    currentSession: (handle: SessionHandle | null) => currentSession(ports, handle),
    providerForEmail,
    signOut: bind(signOut),
    signOutView: (session: Session) => signOutView(ports, session),
    providerName: (scheme: string) => providerName(ports, scheme),
    passwordOwner: (session: Session) => passwordOwner(ports, session),
    changeOwnPassword: bind(changeOwnPassword),
    accountView: (session: Session) => accountView(ports, session),
    usernameOf: (session: Session) => usernameOf(ports, session),
    accountNames: (session: Session) => accountNames(ports, session),
    revokeApp: bind(revokeApp),
    endOtherSession: bind(endOtherSession),
    endAllOtherSessions: bind(endAllOtherSessions),
  }
}

function binder(ports: () => Ports) {
  return <Input, Outcome>(
    run: (ports: Ports, input: Input, context: RequestContext) => Promise<Outcome>,
  ): ((input: Input, context: RequestContext) => Promise<Outcome>) =>
    (input, context) =>
      run(ports(), input, context)
}
