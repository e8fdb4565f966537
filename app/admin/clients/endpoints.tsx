/** The addresses an app needs; most libraries find them all by the first. */
import { CopyText } from '../_ui/copy-text.tsx'
import { Facts } from '../_ui/facts.tsx'
import { Section } from '../_ui/section.tsx'

export function Endpoints({ issuer }: { readonly issuer: string }) {
  const addresses = [
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
    ['Authorization', `${issuer}/connect/authorize`],
    ['Token', `${issuer}/connect/token`],
    ['Userinfo', `${issuer}/connect/userinfo`],
    ['Sign-out', `${issuer}/connect/endsession`],
  ] as const
  return (
    <Section title="Endpoints">
      <Facts
        facts={addresses.map(([name, text]) => [
          name,
          <CopyText
            key={name}
            id={`endpoint-${name.toLowerCase()}`}
            name={`the ${name} address`}
            text={text}
          />,
        ])}
      />
    </Section>
  )
}
