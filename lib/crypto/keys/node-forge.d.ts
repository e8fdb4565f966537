/** The functions of node-forge that this project uses. Texts are binary: one character for each byte. */
declare module 'node-forge' {
  type Bytes = { readonly getBytes: () => string }
  type Asn1 = { readonly kindOfForge: 'asn1' }
  type Digest = { readonly kindOfForge: 'digest' }
  type Key = { readonly kindOfForge: 'key' }
  type Names = { name: string; value: string }[]
  type Certificate = {
    publicKey: Key
    serialNumber: string
    validity: { notBefore: Date; notAfter: Date }
    signatureOid: string
    siginfo: { algorithmOid: string }
    signature: string
    setSubject: (names: Names) => void
    setIssuer: (names: Names) => void
    setExtensions: (list: { name: 'subjectAltName'; altNames: { type: number; value: string }[] }[]) => void
    sign: (key: Key, digest: Digest) => void
  }
  type Bag = { readonly cert?: Certificate | null; readonly key?: Key | null }
  type Pfx = {
    readonly getBags: (filter: { bagType: string }) => Readonly<Record<string, readonly Bag[] | undefined>>
  }
  const forge: {
    readonly asn1: {
      readonly fromDer: (bytes: string) => Asn1
      readonly toDer: (value: Asn1) => Bytes
    }
    readonly pkcs12: { readonly pkcs12FromAsn1: (value: Asn1, password: string) => Pfx }
    readonly md: { readonly sha256: { readonly create: () => Digest } }
    readonly pki: {
      readonly oids: Readonly<
        Record<'certBag' | 'keyBag' | 'pkcs8ShroudedKeyBag' | 'sha256WithRSAEncryption', string>
      >
      readonly createCertificate: () => Certificate
      readonly getTBSCertificate: (certificate: Certificate) => Asn1
      readonly certificateToAsn1: (certificate: Certificate) => Asn1
      readonly certificateToPem: (certificate: Certificate) => string
      readonly privateKeyToPem: (key: Key) => string
      readonly publicKeyFromPem: (pem: string) => Key
      readonly privateKeyFromPem: (pem: string) => Key
    }
  }
  export default forge
}
