/** Labels for actions of administrators, such as "added a secret to client" in "Alice added a secret to client shop". */
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { AuditRow, TargetKind } from '../admin-ports.ts'

type Operation = Pick<AuditRow, 'action' | 'targetKind' | 'targetId' | 'before' | 'after'>

/** Verbs by the part of the action after the dot. */
const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored an earlier version of',
  begin_test: 'tested',
  add_secret: 'added a secret to',
  rotate_secret: 'rotated a secret of',
  expire_secret: 'ended a secret of',
  remove_secret: 'removed a secret of',
  add_redirect_uri: 'added a redirect URI to',
  allow_scope: 'allowed a scope to',
  allow_grant_type: 'allowed a grant type to',
  set_clients: 'chose the identity providers of',
  reset_password: 'reset the password of',
  reset_factors: 'reset the factors of',
  unlink: 'unlinked an identity of',
  allow_sign_in: 'lifted the limits of',
  cancel_planned_change: 'canceled a planned change of',
  rotate: 'rotated',
  rotate_master_key: 'replaced the master key of the',
  set_log_level: 'set the level of the log of the',
  revoke: 'revoked',
  revoke_access: 'revoked',
  end_session: 'ended',
  end_sessions_of_user: 'signed out',
  remove_consent: 'removed',
  revoke_client: 'revoked all tokens of',
  revoke_everything: 'signed out all users:',
  invite: 'created',
  withdraw_invitation: 'withdrew',
  withdraw: 'withdrew',
  accept: 'became',
  set_role: 'changed the role of',
  add_client: 'gave API access to',
  remove: 'removed',
  export: 'exported',
  send_test: 'tested mail with',
  send_again: 'sent again',
  create_several: 'created',
  run_self_test: 'ran',
  run_checks: 'checked',
}

export const targetKindLabels: Readonly<Record<TargetKind, string>> = {
  client: 'client',
  scope: 'scope',
  user: 'user',
  provider: 'identity provider',
  policies: 'the policies',
  key: 'key',
  session: 'session',
  consent: 'consent',
  grant: 'grant',
  administrator: 'administrator',
  invitation: 'invitation',
  user_invitation: 'the invitation of',
  configuration: 'configuration',
  delivery: 'message',
  self_test: 'the self-test of',
}

/** The verb and the kind of object: `changed the role of administrator` for `administrators.set_role`. */
export function operationLabel(operation: Operation): string {
  // A kind of the next release is shown by its name
  const labels: Readonly<Record<string, string>> = targetKindLabels
  const kind = labels[operation.targetKind] ?? operation.targetKind.replaceAll('_', ' ')
  return `${operationVerb(operation)} ${kind}`
}

/** The verb of an operation without its object, such as `reset the password of`. */
export function operationVerb({ action, targetKind, before, after }: Operation): string {
  const name = action.slice(action.indexOf('.') + 1)
  if (name === 'apply_document')
    return `${before === null ? 'created' : 'changed'}, through a configuration document,`
  if (name === 'import')
    return targetKind === 'configuration'
      ? 'imported data into the'
      : `${before === null ? 'created' : 'changed'}, by an import,`
  if (name !== 'set_enabled' && name !== 'set_several_enabled')
    return verbs[name] ?? `${name.replaceAll('_', ' ')}:`
  const isOn = !isRecord(after) || after.enabled !== false
  if (targetKind === 'user') return isOn ? 'unlocked' : 'locked'
  return isOn ? 'enabled' : 'disabled'
}

/** Objects by the part of the action before the dot. */
const objects: Readonly<Record<string, string>> = {
  clients: 'a client',
  scopes: 'a scope',
  users: 'a user',
  providers: 'an identity provider',
  keys: 'a signing key',
  administrators: 'an administrator',
  configuration: 'the configuration',
  policies: 'the policies',
}

/** Labels of actions whose object or verb does not follow from the tables above. */
const labels: Readonly<Record<string, string>> = {
  'administrators.invite': 'invited an administrator',
  'administrators.withdraw_invitation': 'withdrew an invitation',
  'administrators.accept': 'became an administrator',
  'administrators.add_client': 'gave a client access to the API',
  'configuration.apply_document': 'applied a configuration document',
  'configuration.import': 'imported data of another server',
  'configuration.rotate_master_key': 'replaced the master key',
  'configuration.set_log_level': 'set the level of the log',
  'grants.end_session': 'ended a session',
  'grants.end_sessions_of_user': 'signed out a user',
  'grants.remove_consent': 'removed a consent',
  'grants.revoke': 'revoked a grant',
  'grants.revoke_access': 'revoked the access of a client',
  'grants.revoke_client': 'revoked all tokens of a client',
  'grants.revoke_everything': 'signed out all users',
  'mail.send_again': 'sent a message again',
  'mail.send_test': 'sent a test mail',
  'providers.set_clients': 'chose the clients of an identity provider',
  'status.run_checks': 'ran the checks',
  'status.run_self_test': 'ran the self-test',
  'user_invitations.create': 'invited a user',
  'user_invitations.create_several': 'invited users',
  'user_invitations.send_again': 'renewed the invitation of a user',
  'user_invitations.withdraw': 'withdrew the invitation of a user',
  'users.delete_own': 'deleted their own account',
  'users.unlink': 'unlinked an identity of a user',
  'users.set_enabled': 'locked or unlocked a user',
  'users.set_several_enabled': 'locked or unlocked several users',
}

/** The label of an action whose object is not known, as in events: `added a secret to a client` for `clients.add_secret`. */
export function actionLabel(action: string): string {
  const [area = '', name = ''] = action.split('.')
  const verb = name === 'set_enabled' ? 'enabled or disabled' : verbs[name]
  const object = objects[area]
  return (
    labels[action] ?? (verb === undefined || object === undefined ? 'made a change' : `${verb} ${object}`)
  )
}
