/** Why a conversation with an identity provider failed, for the admin who sets it up. People who sign in read none of it. */

const sentences: Readonly<Record<string, string>> = {
  issuer_differs:
    'Its metadata names another issuer. The issuer must be exactly the one it names, to the last slash.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'Its metadata names another issuer than the one asked.',
  timeout: 'It did not answer in time.',
  redirected: 'It answered with a redirect, which is not followed. Use the address that it leads to.',
  content_type_not_json:
    'It answered with something else than JSON. Is this the issuer, and not a page of it?',
  status_without_content: 'Its answer has no content.',
  content_encoded: 'Its answer is compressed although nobody asked for that.',
  body_too_large: 'Its answer is too large.',
  url_malformed: 'Its metadata names an address that is none.',
  scheme_not_allowed: 'It names an address that is not https.',
  url_with_credentials: 'It names an address with a user name or password in it.',
  url_with_fragment: 'It names an address with a fragment.',
  port_not_allowed: 'It names an address with a port that is neither 443 nor the issuer’s own.',
  host_has_no_address: 'Its host has no address.',
  lookup_failed: 'Its host name could not be looked up.',
  address_not_allowed: 'Its host is an address inside a private network, which is never called from here.',
  ENOTFOUND: 'There is no host of that name.',
  EAI_AGAIN: 'Its host name could not be looked up just now.',
  ECONNREFUSED: 'Nothing answers at that address.',
  ECONNRESET: 'It closed the connection.',
  ENETUNREACH: 'Its network cannot be reached from here.',
  EHOSTUNREACH: 'Its host cannot be reached from here.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate comes from an authority that is not trusted here.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate comes from an authority that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate comes from an authority that is not trusted here.',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'It has no metadata there: its answer was a refusal.',
  OAUTH_PARSE_ERROR: 'Its answer is not JSON.',
  OAUTH_MISSING_SERVER_METADATA: 'Its metadata lacks an endpoint that a sign-in needs.',
  OAUTH_INVALID_SERVER_METADATA: 'Its metadata is malformed.',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'It names an address that is not https.',
  OAUTH_INVALID_RESPONSE: 'Its answer lacks something that the protocol demands.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'Its identity token is expired or not yet valid. Compare the clocks.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED:
    'Its identity token is for somebody else: issuer, audience or nonce are not the ones expected.',
  OAUTH_KEY_SELECTION_FAILED: 'Its identity token is signed with a key that it does not publish.',
  OAUTH_UNSUPPORTED_OPERATION: 'It uses something that is not supported here.',
  id_token_missing: 'It sent no identity token.',
  claims_malformed: 'Its claims have no usable subject.',
  unknown: 'The conversation with it failed.',
}

const answered: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was declined there.',
  invalid_client: 'It did not accept the client id and secret.',
  unauthorized_client: 'It does not allow this client to sign people in with a code.',
  invalid_grant: 'It did not accept the code. Check the callback address that is registered there.',
  invalid_scope: 'It does not know one of the scopes openid, profile and email.',
  invalid_request:
    'It found something wrong with the request. Check the callback address that is registered there.',
  server_error: 'It failed on its side.',
  temporarily_unavailable: 'It is not available just now.',
}

/** `reason` is the tag that the log has, such as `timeout` or `token_endpoint_answered:invalid_client`. */
export function providerFailureSentence(reason: string): string {
  const [tag = '', code] = reason.split(':')
  const said = code === undefined ? undefined : answered[code]
  if (said !== undefined) return said
  if (code !== undefined) return `It answered with the error "${code}".`
  return sentences[tag] ?? `The conversation with it failed (${tag}).`
}
