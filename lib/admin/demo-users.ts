/** The demo's two people: Alice, of whom everything is known, and Bob, of whom little is. */
import type { ConfigurationFileInput } from '#lib/protocol/registration/configuration-file.ts'

export const demoUsers: NonNullable<ConfigurationFileInput['users']> = [
  {
    username: 'alice',
    password: 'wonderland-tea-party',
    sub: 'demo-user-alice',
    claims: {
      name: 'Alice Pleasance Liddell',
      family_name: 'Liddell',
      given_name: 'Alice',
      middle_name: 'Pleasance',
      nickname: 'Al',
      preferred_username: 'alice',
      profile: 'https://example.com/alice',
      picture: 'https://example.com/alice.png',
      website: 'https://example.com',
      gender: 'female',
      birthdate: '1852-05-04',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      updated_at: 1_760_000_000,
      email: 'alice@example.com',
      email_verified: true,
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
      address: {
        formatted: '1 Rabbit Hole\nOxford OX1 1DP\nUnited Kingdom',
        street_address: '1 Rabbit Hole',
        locality: 'Oxford',
        postal_code: 'OX1 1DP',
        country: 'United Kingdom',
      },
      role: ['admin', 'editor'],
    },
  },
  {
    username: 'bob',
    password: 'hammer-and-nails',
    sub: 'demo-user-bob',
    claims: {
      name: 'Bob Mason',
      given_name: 'Bob',
      family_name: 'Mason',
      email: 'bob@example.com',
      email_verified: false,
      role: ['reader'],
    },
  },
]
