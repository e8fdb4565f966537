/** The ports that reach users outside of requests: the user service, and mail. */
import { managedBy } from '#lib/admin/configuration/managed-names.ts'
import type { Config } from '#lib/config/env.ts'
import type { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { DeletionPorts } from '#lib/identity/account-deletion/carry-out.ts'
import { createLegacyUsers } from '#lib/identity/legacy-users.ts'
import { standardUserService } from '#lib/identity/standard-user-service.ts'
import type { Events } from '#lib/ports/events.ts'
import type { LegacyVerify } from '#lib/ports/legacy-users.ts'
import type { MailState, SecurityChange } from '#lib/ports/mail.ts'
import type { ManagedUsers } from '#lib/ports/own-account.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Resources } from './resources.ts'

export type AccountParts = Pick<
  Resources,
  'storage' | 'extensions' | 'passwords' | 'random' | 'hashing' | 'sealing' | 'clock'
> & { readonly config: Pick<Config, 'mail'> }

/**
 * Opens the user service: that of the extensions, or the one of this server's database. `verify`: the hook for users of an old
 * system.
 */
export function openUserService(
  { storage: { users, administrators }, extensions, ...parts }: AccountParts,
  verify?: LegacyVerify,
) {
  const isAdministrator = async (subject: SubjectId) => (await administrators.find(subject)) !== null
  const legacy = verify && createLegacyUsers({ ...parts, users, verify, isAdministrator })
  const standard = standardUserService({ ...parts, users }, legacy)
  return extensions.userService?.(users, standard) ?? standard
}

/** Builds the ports of the tasks that concern accounts. */
export function accountPorts(opened: AccountParts, events: Events): DeletionPorts {
  const { storage, config, random, sealing, clock } = opened
  return {
    ...storage,
    ...{ random, sealing, clock, events },
    managedUsers: managedUsers(storage),
    userService: openUserService(opened),
    mail: mailState(config),
  }
}

/** Returns the users of the configuration file. Those of the demo can be changed: it is made again at the next start. */
export function managedUsers({ meta }: Pick<Resources['storage'], 'meta'>): ManagedUsers {
  return { has: async subject => (await managedBy(meta, 'users', subject)) === 'file' }
}

/** Selects what the dashboard shows of the mail settings: never the credentials. */
export function mailState({ mail: settings }: Pick<Config, 'mail'>): MailState {
  if (settings.kind === 'off') return settings
  if (settings.kind === 'folder') return { kind: 'folder', folder: settings.folder }
  const { server, sender } = settings
  return { kind: 'smtp', host: server.host, port: server.port, from: sender.address }
}

/** Makes mails outside of requests. The user service is opened at the first one. */
export function noticesWithoutRequest(parts: AccountParts, make: typeof securityNotice) {
  const { random, sealing, clock } = parts
  let userService: ReturnType<typeof openUserService> | undefined
  return (subject: SubjectId, change: SecurityChange, details?: Readonly<Record<string, string>>) => {
    userService ??= openUserService(parts)
    const ports = { mail: mailState(parts.config), userService, random, sealing, clock }
    return make(ports, subject, change, details)
  }
}
