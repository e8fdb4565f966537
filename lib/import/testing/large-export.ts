/** Generates an export as large as that of a company: written row by row, and the same at each call. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

export type Size = { readonly clients: number; readonly users: number }

type Row = Readonly<Record<string, unknown>>

/** Writes tables of IdentityServer3 and ASP.NET Identity. */
export async function writeLargeExport(file: string, size: Size): Promise<void> {
  const out = createWriteStream(file)
  const tables = Object.entries(tablesOf(size))
  for (const [place, [table, rows]] of tables.entries()) {
    out.write(`${place === 0 ? '{' : ','}\n${JSON.stringify(table)}:[`)
    let isFirst = true
    for (const row of rows) {
      const isRoom = out.write(`${isFirst ? '' : ',\n'}${JSON.stringify(row)}`)
      isFirst = false
      if (!isRoom) await once(out, 'drain')
    }
    out.write(']')
  }
  out.end('}\n')
  await once(out, 'finish')
}

function tablesOf({ clients, users }: Size): Readonly<Record<string, Iterable<Row>>> {
  return {
    Clients: rowsOf(clients, clientRow),
    ClientSecrets: rowsOf(clients, index => ({
      Id: index,
      Value: digest(`secret ${index}`),
      Type: 'SharedSecret',
      Client_Id: index,
    })),
    ClientScopes: rowsOf(clients * 3, index => ({
      Id: index,
      Scope: ['openid', 'profile', `api${index % 40}`][index % 3],
      Client_Id: Math.floor(index / 3),
    })),
    ClientRedirectUris: rowsOf(clients * 2, index => ({
      Id: index,
      Uri: `https://app${index}.example/signin-oidc`,
      Client_Id: Math.floor(index / 2),
    })),
    Scopes: rowsOf(40, index => ({
      Id: index,
      Enabled: true,
      Name: `api${index}`,
      DisplayName: `API ${index}`,
      Type: 1,
    })),
    Consents: rowsOf(users / 5, index => ({
      Subject: subjectOf(index),
      ClientId: `app-${index % clients}`,
      Scopes: 'openid,profile',
    })),
    AspNetUsers: rowsOf(users, userRow),
    AspNetUserClaims: rowsOf(users * 3, claimRow),
    AspNetUserLogins: rowsOf(users / 10, index => ({
      LoginProvider: 'Google',
      ProviderKey: `g-${index}`,
      UserId: subjectOf(index),
    })),
    AspNetRoles: [{ Id: 'r1', Name: 'admin' }],
    AspNetUserRoles: rowsOf(users / 20, index => ({ UserId: subjectOf(index), RoleId: 'r1' })),
  }
}

function* rowsOf(count: number, row: (index: number) => Row): Generator<Row> {
  for (let index = 0; index < count; index += 1) yield row(index)
}

function clientRow(index: number): Row {
  return {
    Id: index,
    Enabled: true,
    ClientId: `app-${index}`,
    ClientName: `Application ${index}`,
    RequireConsent: index % 2 === 0,
    AllowRememberConsent: true,
    // Only flows that this server supports
    Flow: [0, 6][index % 2],
    AccessTokenLifetime: 3600,
    AuthorizationCodeLifetime: 300,
  }
}

function userRow(index: number): Row {
  return {
    Id: subjectOf(index),
    UserName: `user${index}@example.com`,
    NormalizedUserName: `USER${index}@EXAMPLE.COM`,
    Email: `user${index}@example.com`,
    NormalizedEmail: `USER${index}@EXAMPLE.COM`,
    EmailConfirmed: true,
    PasswordHash: passwordHash(index),
    SecurityStamp: digest(`stamp ${index}`),
    PhoneNumber: index % 10 === 0 ? `+49 30 ${1_000_000 + index}` : null,
    PhoneNumberConfirmed: false,
    TwoFactorEnabled: false,
    LockoutEnd: null,
    LockoutEnabled: true,
    AccessFailedCount: 0,
  }
}

function claimRow(index: number): Row {
  const user = Math.floor(index / 3)
  const [type, value] = [
    ['given_name', `Given ${user}`],
    ['family_name', `Family${user % 5000}`],
    ['department', `Department ${user % 50}`],
  ][index % 3] ?? ['', '']
  return { Id: index, UserId: subjectOf(user), ClaimType: type, ClaimValue: value }
}

/** Returns the subject of a user, which is a GUID. */
export function subjectOf(index: number): string {
  return createHash('md5')
    .update(`user ${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns a hash in the format of ASP.NET Identity v3 that no password has. */
function passwordHash(index: number): string {
  const header = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0x27, 0x10, 0, 0, 0, 16])
  const salt = createHash('md5').update(`salt ${index}`).digest()
  return Buffer.concat([header, salt, createHash('sha256').update(`hash ${index}`).digest()]).toString(
    'base64',
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
