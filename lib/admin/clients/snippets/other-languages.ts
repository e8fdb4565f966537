/** Code snippets for ASP.NET Core, Spring Boot and Python. */
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { envValue, literal, registering, type SnippetMaker } from './snippet.ts'

export const aspNet: SnippetMaker = {
  id: 'aspnet',
  title: 'ASP.NET Core',
  kinds: ['web'],
  make: ({ issuer, clientId, redirectUri, scopes }) => ({
    steps: [
      'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
      'dotnet user-secrets set Latchkey:ClientSecret …',
    ],
    files: [
      {
        path: 'Program.cs',
        content: `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${literal(issuer)};
        options.ClientId = ${literal(clientId)};
        options.ClientSecret = builder.Configuration["Latchkey:ClientSecret"];
        options.CallbackPath = ${literal(new URL(redirectUri).pathname)};
        options.ResponseType = "code";
        options.ResponseMode = "query";
        options.UsePkce = true;
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;${issuer.startsWith('http:') ? '\n        options.RequireHttpsMetadata = false;' : ''}
        options.Scope.Clear();
${scopes.map(scope => `        options.Scope.Add(${literal(scope)});`).join('\n')}
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (System.Security.Claims.ClaimsPrincipal user) => $"Hello {user.FindFirst("name")?.Value}")
    .RequireAuthorization();
app.Run();
`,
      },
    ],
  }),
}

export const spring: SnippetMaker = {
  id: 'spring',
  title: 'Spring Boot',
  kinds: ['web'],
  make: values => ({
    steps: [
      'Add org.springframework.boot:spring-boot-starter-security-oauth2-client (Spring Boot 3: spring-boot-starter-oauth2-client) and a web starter.',
      ...registering(values, '/login/oauth2/code/latchkey'),
      'export LATCHKEY_CLIENT_SECRET=…',
    ],
    files: [
      {
        path: 'src/main/resources/application.properties',
        content: `spring.security.oauth2.client.provider.latchkey.issuer-uri=${envValue(values.issuer)}
spring.security.oauth2.client.registration.latchkey.client-id=${envValue(values.clientId)}
spring.security.oauth2.client.registration.latchkey.client-secret=\${LATCHKEY_CLIENT_SECRET}
spring.security.oauth2.client.registration.latchkey.scope=${values.scopes.map(envValue).join(',')}
spring.security.oauth2.client.registration.latchkey.authorization-grant-type=authorization_code
`,
      },
      { path: 'src/main/java/app/SignIn.java', content: signInConfiguration },
    ],
  }),
}

/**
 * Turns on PKCE: before version 7, Spring Security sends no code challenge for clients with a secret, and Latchkey requires
 * one by default.
 */
const signInConfiguration = `package app;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
class SignIn {
    @Bean
    SecurityFilterChain signIn(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        var requests = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        return http
            .authorizeHttpRequests(all -> all.anyRequest().authenticated())
            .oauth2Login(login -> login.authorizationEndpoint(to -> to.authorizationRequestResolver(requests)))
            .build();
    }
}
`

export const python: SnippetMaker = {
  id: 'python',
  title: 'Python (FastAPI, Authlib)',
  kinds: ['web'],
  make: ({ issuer, clientId, redirectUri, scopes }) => ({
    steps: [
      'pip install fastapi uvicorn authlib httpx itsdangerous',
      'export LATCHKEY_CLIENT_SECRET=… SESSION_SECRET=…',
      `uvicorn app:app --port ${new URL(redirectUri).port || '8000'}`,
    ],
    files: [
      {
        path: 'app.py',
        content: `import os

from authlib.integrations.starlette_client import OAuth
from fastapi import FastAPI, Request
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import RedirectResponse

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=os.environ["SESSION_SECRET"])
oauth = OAuth()
oauth.register(
    "latchkey",
    server_metadata_url=${literal(ownUrl(issuer, '/.well-known/openid-configuration'))},
    client_id=${literal(clientId)},
    client_secret=os.environ["LATCHKEY_CLIENT_SECRET"],
    client_kwargs={"scope": ${literal(scopes.join(' '))}, "code_challenge_method": "S256"},
)


@app.get("/sign-in")
async def sign_in(request: Request):
    return await oauth.latchkey.authorize_redirect(request, ${literal(redirectUri)})


@app.get(${literal(new URL(redirectUri).pathname)})
async def callback(request: Request):
    tokens = await oauth.latchkey.authorize_access_token(request)
    request.session["sub"] = tokens["userinfo"]["sub"]
    return RedirectResponse("/")


@app.get("/")
async def home(request: Request):
    return {"sub": request.session.get("sub")}
`,
      },
    ],
  }),
}
