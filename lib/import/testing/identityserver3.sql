-- The tables of IdentityServer3 2.6, MembershipReboot 9 and ASP.NET Identity 2 as Entity Framework 6 creates them, with rows of each kind.
CREATE SCHEMA dbo;
SET search_path TO dbo;
CREATE TABLE "Clients" ("Id" serial PRIMARY KEY, "Enabled" boolean NOT NULL, "ClientId" varchar(200) NOT NULL UNIQUE, "ClientName" varchar(200) NOT NULL, "ClientUri" varchar(2000), "LogoUri" text, "RequireConsent" boolean NOT NULL, "AllowRememberConsent" boolean NOT NULL, "AllowAccessTokensViaBrowser" boolean NOT NULL, "Flow" integer NOT NULL, "AllowClientCredentialsOnly" boolean NOT NULL, "LogoutUri" text, "LogoutSessionRequired" boolean NOT NULL, "RequireSignOutPrompt" boolean NOT NULL, "AllowAccessToAllScopes" boolean NOT NULL, "IdentityTokenLifetime" integer NOT NULL, "AccessTokenLifetime" integer NOT NULL, "AuthorizationCodeLifetime" integer NOT NULL, "AbsoluteRefreshTokenLifetime" integer NOT NULL, "SlidingRefreshTokenLifetime" integer NOT NULL, "RefreshTokenUsage" integer NOT NULL, "UpdateAccessTokenOnRefresh" boolean NOT NULL, "RefreshTokenExpiration" integer NOT NULL, "AccessTokenType" integer NOT NULL, "EnableLocalLogin" boolean NOT NULL, "IncludeJwtId" boolean NOT NULL, "AlwaysSendClientClaims" boolean NOT NULL, "PrefixClientClaims" boolean NOT NULL, "AllowAccessToAllGrantTypes" boolean NOT NULL);
CREATE TABLE "ClientSecrets" ("Id" serial PRIMARY KEY, "Value" varchar(250) NOT NULL, "Type" varchar(250), "Description" varchar(2000), "Expiration" timestamptz, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientScopes" ("Id" serial PRIMARY KEY, "Scope" varchar(200) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientRedirectUris" ("Id" serial PRIMARY KEY, "Uri" varchar(2000) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientPostLogoutRedirectUris" ("Id" serial PRIMARY KEY, "Uri" varchar(2000) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientCorsOrigins" ("Id" serial PRIMARY KEY, "Origin" varchar(150) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientIdPRestrictions" ("Id" serial PRIMARY KEY, "Provider" varchar(200) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientCustomGrantTypes" ("Id" serial PRIMARY KEY, "GrantType" varchar(250) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "ClientClaims" ("Id" serial PRIMARY KEY, "Type" varchar(250) NOT NULL, "Value" varchar(250) NOT NULL, "Client_Id" integer NOT NULL REFERENCES "Clients");
CREATE TABLE "Scopes" ("Id" serial PRIMARY KEY, "Enabled" boolean NOT NULL, "Name" varchar(200) NOT NULL, "DisplayName" varchar(200), "Description" varchar(1000), "Required" boolean NOT NULL, "Emphasize" boolean NOT NULL, "Type" integer NOT NULL, "IncludeAllClaimsForUser" boolean NOT NULL, "ClaimsRule" varchar(200), "ShowInDiscoveryDocument" boolean NOT NULL, "AllowUnrestrictedIntrospection" boolean NOT NULL);
CREATE TABLE "ScopeClaims" ("Id" serial PRIMARY KEY, "Name" varchar(200) NOT NULL, "Description" varchar(1000), "AlwaysIncludeInIdToken" boolean NOT NULL, "Scope_Id" integer NOT NULL REFERENCES "Scopes");
CREATE TABLE "ScopeSecrets" ("Id" serial PRIMARY KEY, "Description" varchar(1000), "Expiration" timestamptz, "Type" varchar(250), "Value" varchar(250) NOT NULL, "Scope_Id" integer NOT NULL REFERENCES "Scopes");
CREATE TABLE "Consents" ("Subject" varchar(200) NOT NULL, "ClientId" varchar(200) NOT NULL, "Scopes" varchar(2000) NOT NULL, PRIMARY KEY ("Subject", "ClientId"));
CREATE TABLE "Tokens" ("Key" varchar(128) NOT NULL, "TokenType" smallint NOT NULL, "SubjectId" varchar(200), "ClientId" varchar(200) NOT NULL, "JsonCode" text NOT NULL, "Expiry" timestamptz NOT NULL, PRIMARY KEY ("Key", "TokenType"));
CREATE TABLE "UserAccounts" ("Key" serial PRIMARY KEY, "ID" uuid NOT NULL, "Tenant" varchar(50) NOT NULL, "Username" varchar(254) NOT NULL, "Created" timestamp NOT NULL, "LastUpdated" timestamp NOT NULL, "AccountApproved" timestamp, "AccountRejected" timestamp, "IsAccountClosed" boolean NOT NULL, "AccountClosed" timestamp, "IsLoginAllowed" boolean NOT NULL, "LastLogin" timestamp, "LastFailedLogin" timestamp, "FailedLoginCount" integer NOT NULL, "PasswordChanged" timestamp, "RequiresPasswordReset" boolean NOT NULL, "Email" varchar(254), "IsAccountVerified" boolean NOT NULL, "LastFailedPasswordReset" timestamp, "FailedPasswordResetCount" integer NOT NULL, "MobileCode" varchar(100), "MobileCodeSent" timestamp, "MobilePhoneNumber" varchar(20), "MobilePhoneNumberChanged" timestamp, "AccountTwoFactorAuthMode" integer NOT NULL, "CurrentTwoFactorAuthStatus" integer NOT NULL, "VerificationKey" varchar(100), "VerificationPurpose" integer, "VerificationKeySent" timestamp, "VerificationStorage" varchar(100), "HashedPassword" varchar(200));
CREATE TABLE "UserClaims" ("Key" serial PRIMARY KEY, "ParentKey" integer NOT NULL REFERENCES "UserAccounts", "Type" varchar(150) NOT NULL, "Value" varchar(150) NOT NULL);
CREATE TABLE "LinkedAccounts" ("Key" serial PRIMARY KEY, "ParentKey" integer NOT NULL REFERENCES "UserAccounts", "ProviderName" varchar(200) NOT NULL, "ProviderAccountID" varchar(100) NOT NULL, "LastLogin" timestamp NOT NULL);
CREATE TABLE "AspNetUsers" ("Id" varchar(128) PRIMARY KEY, "Email" varchar(256), "EmailConfirmed" boolean NOT NULL, "PasswordHash" text, "SecurityStamp" text, "PhoneNumber" text, "PhoneNumberConfirmed" boolean NOT NULL, "TwoFactorEnabled" boolean NOT NULL, "LockoutEndDateUtc" timestamp, "LockoutEnabled" boolean NOT NULL, "AccessFailedCount" integer NOT NULL, "UserName" varchar(256) NOT NULL UNIQUE);
CREATE TABLE "AspNetUserClaims" ("Id" serial PRIMARY KEY, "UserId" varchar(128) NOT NULL REFERENCES "AspNetUsers", "ClaimType" text, "ClaimValue" text);
CREATE TABLE "AspNetUserLogins" ("LoginProvider" varchar(128) NOT NULL, "ProviderKey" varchar(128) NOT NULL, "UserId" varchar(128) NOT NULL REFERENCES "AspNetUsers", PRIMARY KEY ("LoginProvider", "ProviderKey", "UserId"));
CREATE TABLE "AspNetRoles" ("Id" varchar(128) PRIMARY KEY, "Name" varchar(256) NOT NULL UNIQUE);
CREATE TABLE "AspNetUserRoles" ("UserId" varchar(128) NOT NULL REFERENCES "AspNetUsers", "RoleId" varchar(128) NOT NULL REFERENCES "AspNetRoles", PRIMARY KEY ("UserId", "RoleId"));
INSERT INTO "Clients" VALUES
  (DEFAULT, true, 'web', 'Web "café" 🔑', 'https://web.example/', NULL, true, true, true, 0, true, NULL, true, true, false, 300, 3600, 300, 2592000, 1296000, 1, false, 1, 1, true, true, true, true, false),
  (DEFAULT, true, 'kiosk', 'Kiosk', NULL, NULL, false, true, true, 5, false, NULL, true, false, true, 300, 3600, 300, 2592000, 1296000, 1, true, 1, 0, true, false, false, true, false);
INSERT INTO "ClientSecrets" ("Value", "Type", "Description", "Expiration", "Client_Id") VALUES
  ('K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=', 'SharedSecret', 'first', '2031-01-01 01:30:00.1234567+01:30', 1),
  ('K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=', 'SharedSecret', NULL, NULL, 2);
INSERT INTO "ClientScopes" ("Scope", "Client_Id") VALUES ('openid', 1), ('orders', 1), ('offline_access', 1), ('orders', 2);
INSERT INTO "ClientRedirectUris" ("Uri", "Client_Id") VALUES ('https://web.example/signin-oidc', 1);
INSERT INTO "ClientPostLogoutRedirectUris" ("Uri", "Client_Id") VALUES ('https://web.example/bye', 1);
INSERT INTO "ClientCorsOrigins" ("Origin", "Client_Id") VALUES ('https://web.example', 1);
INSERT INTO "ClientIdPRestrictions" ("Provider", "Client_Id") VALUES ('corp', 1), ('idsrv', 1);
INSERT INTO "ClientCustomGrantTypes" ("GrantType", "Client_Id") VALUES ('urn:example:card', 2);
INSERT INTO "ClientClaims" ("Type", "Value", "Client_Id") VALUES ('region', 'eu', 1);
INSERT INTO "Scopes" VALUES (DEFAULT, true, 'orders', 'Orders', E'line one\nline two', false, true, 1, false, NULL, true, true);
INSERT INTO "ScopeClaims" ("Name", "AlwaysIncludeInIdToken", "Scope_Id") VALUES ('email', true, 1), ('role', false, 1);
INSERT INTO "ScopeSecrets" ("Value", "Type", "Scope_Id") VALUES ('K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=', 'SharedSecret', 1);
INSERT INTO "Consents" VALUES ('alice', 'web', 'openid,orders');
INSERT INTO "Tokens" VALUES
  ('K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols', 2, NULL, 'web', '{"Audience":"https://old.example/resources","Issuer":"https://old.example","CreationTime":"2026-02-28T12:00:00+00:00","Lifetime":31536000,"Type":"access_token","Client":{"ClientId":"web"},"Claims":[{"Type":"client_id","Value":"web"},{"Type":"scope","Value":"orders"}],"Version":1}', '2096-03-20 12:00:00+00'),
  ('hW9zIjTPqGoZ4KN0PIu7Xi8vGvRUTEyEyE9rqb9gYtw', 1, 'alice', 'web', '{}', '2096-03-20 12:00:00+00');
INSERT INTO "UserAccounts" ("ID", "Tenant", "Username", "Created", "LastUpdated", "AccountRejected", "IsAccountClosed", "IsLoginAllowed", "FailedLoginCount", "RequiresPasswordReset", "Email", "IsAccountVerified", "FailedPasswordResetCount", "MobilePhoneNumber", "AccountTwoFactorAuthMode", "CurrentTwoFactorAuthStatus", "HashedPassword") VALUES
  ('a0000000-0000-4000-8000-00000000000b', 'default', 'bob', '2015-03-04 05:06:07.89', '2015-03-04 05:06:07.89', NULL, false, true, 0, true, 'bob@example.com', true, 0, '+49 30 1', 0, 0, NULL),
  ('a0000000-0000-4000-8000-00000000000c', 'default', 'carol', '2015-03-04', '2015-03-04', '2015-03-05', false, true, 0, false, NULL, true, 0, NULL, 0, 0, NULL);
INSERT INTO "UserClaims" ("ParentKey", "Type", "Value") VALUES (1, 'name', 'Bob');
INSERT INTO "LinkedAccounts" ("ParentKey", "ProviderName", "ProviderAccountID", "LastLogin") VALUES (1, 'corp', 'bob@corp', '2015-03-04');
INSERT INTO "AspNetUsers" ("Id", "UserName", "Email", "EmailConfirmed", "PhoneNumberConfirmed", "TwoFactorEnabled", "LockoutEndDateUtc", "LockoutEnabled", "AccessFailedCount") VALUES
  ('alice', 'alice', 'alice@example.com', true, false, false, '2015-03-04 05:06:07', true, 1),
  ('B9A1F5D0-0000-4000-8000-00000000000A', 'dave', NULL, false, false, false, '9999-12-31 23:59:59.997', true, 0);
INSERT INTO "AspNetUserClaims" ("UserId", "ClaimType", "ClaimValue") VALUES ('alice', 'given_name', 'Alice');
INSERT INTO "AspNetUserLogins" VALUES ('corp', 'alice@corp', 'alice');
INSERT INTO "AspNetRoles" VALUES ('7c9e6679-7425-40de-944b-e07fc1f90ae7', 'admin');
INSERT INTO "AspNetUserRoles" VALUES ('alice', '7c9e6679-7425-40de-944b-e07fc1f90ae7');
