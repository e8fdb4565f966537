/** Code snippets for curl and for Go's standard library. */
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { literal, type SnippetMaker, type SnippetValues, shellWord } from './snippet.ts'

export const curl: SnippetMaker = {
  id: 'curl',
  title: 'curl',
  kinds: ['web', 'spa', 'native', 'machine'],
  make: values => ({
    steps: values.hasSecret ? ['export LATCHKEY_CLIENT_SECRET=…'] : [],
    files: [
      { path: 'sign-in.sh', content: values.kind === 'machine' ? machineScript(values) : codeScript(values) },
    ],
  }),
}

function machineScript({ issuer, clientId, scopes }: SnippetValues): string {
  return `#!/bin/sh
set -eu
curl --silent --show-error --fail ${shellWord(ownUrl(issuer, '/connect/token'))} \\
  --user ${shellWord(clientId)}:"$LATCHKEY_CLIENT_SECRET" \\
  --data grant_type=client_credentials \\
  --data-urlencode ${shellWord(`scope=${scopes.join(' ')}`)}
`
}

function codeScript({ issuer, clientId, redirectUri, scopes, hasSecret }: SnippetValues): string {
  const proof = hasSecret
    ? `--user ${shellWord(clientId)}:"$LATCHKEY_CLIENT_SECRET"`
    : `--data-urlencode ${shellWord(`client_id=${clientId}`)}`
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge_method: 'S256',
  })
  return `#!/bin/sh
# Run it without a code to get the address to open; then with the code from the address you were sent back to.
set -eu
keep=.latchkey-verifier
if [ "$#" -eq 0 ]; then
  umask 077
  head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\\n' > "$keep"
  challenge=$(tr -d '\\n' < "$keep" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=\\n')
  echo ${shellWord(ownUrl(issuer, `/connect/authorize?${query}`))}"&code_challenge=$challenge"
  exit 0
fi
curl --silent --show-error --fail ${shellWord(ownUrl(issuer, '/connect/token'))} \\
  ${proof} \\
  --data grant_type=authorization_code \\
  --data-urlencode "code=$1" \\
  --data-urlencode ${shellWord(`redirect_uri=${redirectUri}`)} \\
  --data-urlencode "code_verifier=$(cat "$keep")"
`
}

export const go: SnippetMaker = {
  id: 'go',
  title: 'Go',
  kinds: ['web', 'native', 'machine'],
  make: values => ({
    steps: [...(values.hasSecret ? ['export LATCHKEY_CLIENT_SECRET=…'] : []), 'go run main.go'],
    files: [
      { path: 'main.go', content: values.kind === 'machine' ? machineProgram(values) : webProgram(values) },
    ],
  }),
}

function machineProgram({ issuer, clientId, scopes }: SnippetValues): string {
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func main() {
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {${literal(scopes.join(' '))}}}
	request, err := http.NewRequest("POST", ${literal(ownUrl(issuer, '/connect/token'))}, strings.NewReader(form.Encode()))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(url.QueryEscape(${literal(clientId)}), url.QueryEscape(os.Getenv("LATCHKEY_CLIENT_SECRET")))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", response.Status, body)
	}
	fmt.Println(string(body))
}
`
}

/** NOTE: the program serves one user at a time, to be short. A real app keeps state and verifier in its session. */
function webProgram({ issuer, clientId, redirectUri, scopes, hasSecret }: SnippetValues): string {
  const { host, hostname, pathname } = new URL(redirectUri)
  const listenOn = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? host : ':8080'
  const proof = hasSecret
    ? `	request.SetBasicAuth(url.QueryEscape(clientID), url.QueryEscape(os.Getenv("LATCHKEY_CLIENT_SECRET")))`
    : `	_ = os.Getenv // a public client has no secret`
  return `package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const (
	issuer      = ${literal(issuer)}
	clientID    = ${literal(clientId)}
	redirectURI = ${literal(redirectUri)}
	scope       = ${literal(scopes.join(' '))}
)

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

var state, verifier = random(), random()

func signIn(w http.ResponseWriter, r *http.Request) {
	digest := sha256.Sum256([]byte(verifier))
	query := url.Values{
		"client_id": {clientID}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "scope": {scope},
		"state": {state}, "code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])}, "code_challenge_method": {"S256"},
	}
	http.Redirect(w, r, issuer+"/connect/authorize?"+query.Encode(), http.StatusSeeOther)
}

func callback(w http.ResponseWriter, r *http.Request) {
	answer := r.URL.Query()
	if answer.Get("state") != state || answer.Get("iss") != issuer {
		http.Error(w, "this answer is not for us", http.StatusBadRequest)
		return
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {clientID}, "code": {answer.Get("code")},
		"redirect_uri": {redirectURI}, "code_verifier": {verifier},
	}
	request, err := http.NewRequest("POST", issuer+"/connect/token", strings.NewReader(form.Encode()))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
${proof}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	var tokens map[string]any
	if err := json.NewDecoder(response.Body).Decode(&tokens); err != nil || response.StatusCode != http.StatusOK {
		http.Error(w, fmt.Sprint(tokens["error_description"]), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, "signed in; scope:", tokens["scope"])
}

func main() {
	http.HandleFunc("/", signIn)
	http.HandleFunc(${literal(pathname)}, callback)
	log.Fatal(http.ListenAndServe(${literal(listenOn)}, nil))
}
`
}
