-- CreateTable
CREATE TABLE "ConfigurationRevision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Meta" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Client" (
    "clientId" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "sortKey" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateTable
CREATE TABLE "ClientSecret" (
    "clientId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT,
    "digest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,

    PRIMARY KEY ("clientId", "id"),
    CONSTRAINT "ClientSecret_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("clientId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Scope" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ScopeSecret" (
    "scopeName" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT,
    "digest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,

    PRIMARY KEY ("scopeName", "id"),
    CONSTRAINT "ScopeSecret_scopeName_fkey" FOREIGN KEY ("scopeName") REFERENCES "Scope" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "IdentityProvider" (
    "scheme" TEXT NOT NULL PRIMARY KEY,
    "displayName" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "domains" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "User" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "canonicalUsername" TEXT NOT NULL,
    "passwordHash" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "claims" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ExternalLogin" (
    "scheme" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "externalSubject" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("scheme", "issuer", "externalSubject"),
    CONSTRAINT "ExternalLogin_subject_fkey" FOREIGN KEY ("subject") REFERENCES "User" ("subject") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "clientId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "acr" TEXT,
    "authenticatedAt" DATETIME NOT NULL,
    "sessionId" TEXT,
    "scopes" TEXT NOT NULL,
    "isOffline" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "AuthorizationCode" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "nonce" TEXT,
    "codeChallenge" TEXT,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "failedAttempts" INTEGER NOT NULL,
    CONSTRAINT "AuthorizationCode_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RefreshToken" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "absoluteExpiresAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "accessTokenClaims" TEXT NOT NULL,
    "spentAt" DATETIME,
    "successor" TEXT,
    "sealedAnswer" TEXT,
    "answerExpiresAt" DATETIME,
    CONSTRAINT "RefreshToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReferenceToken" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "grantId" TEXT,
    "subject" TEXT,
    "clientId" TEXT NOT NULL,
    "claims" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ReferenceToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Consent" (
    "subject" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,

    PRIMARY KEY ("subject", "clientId")
);

-- CreateTable
CREATE TABLE "Session" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "acr" TEXT,
    "authenticatedAt" DATETIME NOT NULL,
    "isPersistent" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "userAgent" TEXT,
    "address" TEXT
);

-- CreateTable
CREATE TABLE "PendingRequest" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "browser" TEXT NOT NULL,
    "sealedParameters" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    "chosenSubject" TEXT,
    "consent" TEXT
);

-- CreateTable
CREATE TABLE "ExternalSignIn" (
    "state" TEXT NOT NULL PRIMARY KEY,
    "browser" TEXT NOT NULL,
    "scheme" TEXT NOT NULL,
    "sealedPending" TEXT,
    "nonce" TEXT NOT NULL,
    "sealedCodeVerifier" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "PartialSignIn" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "browser" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "authenticatedAt" DATETIME,
    "sealedPending" TEXT,
    "remember" BOOLEAN NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ThrottleCounter" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tries" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL PRIMARY KEY,
    "algorithm" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "publicJwk" TEXT NOT NULL,
    "sealedPrivateJwk" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "activatesAt" DATETIME NOT NULL,
    "retiresAt" DATETIME,
    "expiresAt" DATETIME
);

-- CreateTable
CREATE TABLE "Administrator" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME
);

-- CreateTable
CREATE TABLE "AdminSession" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "subject" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "authenticatedAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AdminInvitation" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "role" TEXT NOT NULL,
    "createdBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AdminFlash" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "sessionDigest" TEXT NOT NULL,
    "sealedContent" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditRow" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "time" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT,
    "actorRole" TEXT,
    "targetKind" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "referenceId" TEXT NOT NULL,
    "address" TEXT,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "SearchTerm" (
    "kind" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    PRIMARY KEY ("kind", "term", "id")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "time" DATETIME NOT NULL,
    "name" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "clientId" TEXT,
    "subject" TEXT,
    "grantType" TEXT,
    "reason" TEXT,
    "referenceId" TEXT NOT NULL,
    "flow" TEXT,
    "grantId" TEXT,
    "address" TEXT,
    "userAgent" TEXT,
    "details" TEXT,
    "checks" TEXT
);

-- CreateTable
CREATE TABLE "HourlyCount" (
    "hour" DATETIME NOT NULL,
    "metric" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("metric", "hour", "label")
);

-- CreateTable
CREATE TABLE "DailyCount" (
    "day" INTEGER NOT NULL,
    "metric" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("metric", "day", "label")
);

-- CreateTable
CREATE TABLE "ClientDay" (
    "clientId" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,

    PRIMARY KEY ("clientId", "day")
);

-- CreateTable
CREATE TABLE "Visitor" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "day" INTEGER NOT NULL,
    "before" INTEGER
);

-- CreateIndex
CREATE UNIQUE INDEX "Client_sortKey_key" ON "Client"("sortKey");

-- CreateIndex
CREATE INDEX "Client_kind_sortKey_idx" ON "Client"("kind", "sortKey");

-- CreateIndex
CREATE INDEX "Client_enabled_sortKey_idx" ON "Client"("enabled", "sortKey");

-- CreateIndex
CREATE INDEX "Client_kind_enabled_sortKey_idx" ON "Client"("kind", "enabled", "sortKey");

-- CreateIndex
CREATE INDEX "Client_position_idx" ON "Client"("position");

-- CreateIndex
CREATE INDEX "ClientSecret_expiresAt_idx" ON "ClientSecret"("expiresAt");

-- CreateIndex
CREATE INDEX "Scope_position_idx" ON "Scope"("position");

-- CreateIndex
CREATE INDEX "IdentityProvider_position_idx" ON "IdentityProvider"("position");

-- CreateIndex
CREATE UNIQUE INDEX "User_canonicalUsername_key" ON "User"("canonicalUsername");

-- CreateIndex
CREATE INDEX "User_enabled_canonicalUsername_idx" ON "User"("enabled", "canonicalUsername");

-- CreateIndex
CREATE INDEX "ExternalLogin_subject_idx" ON "ExternalLogin"("subject");

-- CreateIndex
CREATE INDEX "Grant_subject_revokedAt_createdAt_id_idx" ON "Grant"("subject", "revokedAt", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Grant_clientId_revokedAt_createdAt_id_idx" ON "Grant"("clientId", "revokedAt", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Grant_revokedAt_createdAt_id_idx" ON "Grant"("revokedAt", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Grant_sessionId_idx" ON "Grant"("sessionId");

-- CreateIndex
CREATE INDEX "Grant_expiresAt_idx" ON "Grant"("expiresAt");

-- CreateIndex
CREATE INDEX "AuthorizationCode_grantId_idx" ON "AuthorizationCode"("grantId");

-- CreateIndex
CREATE INDEX "AuthorizationCode_subject_clientId_expiresAt_idx" ON "AuthorizationCode"("subject", "clientId", "expiresAt");

-- CreateIndex
CREATE INDEX "AuthorizationCode_expiresAt_idx" ON "AuthorizationCode"("expiresAt");

-- CreateIndex
CREATE INDEX "RefreshToken_grantId_idx" ON "RefreshToken"("grantId");

-- CreateIndex
CREATE INDEX "RefreshToken_successor_idx" ON "RefreshToken"("successor");

-- CreateIndex
CREATE INDEX "RefreshToken_answerExpiresAt_idx" ON "RefreshToken"("answerExpiresAt");

-- CreateIndex
CREATE INDEX "RefreshToken_expiresAt_idx" ON "RefreshToken"("expiresAt");

-- CreateIndex
CREATE INDEX "ReferenceToken_grantId_idx" ON "ReferenceToken"("grantId");

-- CreateIndex
CREATE INDEX "ReferenceToken_clientId_idx" ON "ReferenceToken"("clientId");

-- CreateIndex
CREATE INDEX "ReferenceToken_expiresAt_idx" ON "ReferenceToken"("expiresAt");

-- CreateIndex
CREATE INDEX "RevokedToken_expiresAt_idx" ON "RevokedToken"("expiresAt");

-- CreateIndex
CREATE INDEX "Consent_clientId_updatedAt_subject_idx" ON "Consent"("clientId", "updatedAt", "subject");

-- CreateIndex
CREATE INDEX "Consent_updatedAt_subject_clientId_idx" ON "Consent"("updatedAt", "subject", "clientId");

-- CreateIndex
CREATE INDEX "Consent_expiresAt_idx" ON "Consent"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Session_sessionId_key" ON "Session"("sessionId");

-- CreateIndex
CREATE INDEX "Session_subject_isPersistent_lastSeenAt_digest_idx" ON "Session"("subject", "isPersistent", "lastSeenAt", "digest");

-- CreateIndex
CREATE INDEX "Session_isPersistent_lastSeenAt_digest_idx" ON "Session"("isPersistent", "lastSeenAt", "digest");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "PendingRequest_browser_createdAt_idx" ON "PendingRequest"("browser", "createdAt");

-- CreateIndex
CREATE INDEX "PendingRequest_expiresAt_idx" ON "PendingRequest"("expiresAt");

-- CreateIndex
CREATE INDEX "ExternalSignIn_expiresAt_idx" ON "ExternalSignIn"("expiresAt");

-- CreateIndex
CREATE INDEX "PartialSignIn_expiresAt_idx" ON "PartialSignIn"("expiresAt");

-- CreateIndex
CREATE INDEX "ThrottleCounter_expiresAt_idx" ON "ThrottleCounter"("expiresAt");

-- CreateIndex
CREATE INDEX "SigningKey_expiresAt_idx" ON "SigningKey"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_algorithm_generation_key" ON "SigningKey"("algorithm", "generation");

-- CreateIndex
CREATE INDEX "Administrator_role_idx" ON "Administrator"("role");

-- CreateIndex
CREATE INDEX "AdminSession_subject_idx" ON "AdminSession"("subject");

-- CreateIndex
CREATE INDEX "AdminSession_sessionId_idx" ON "AdminSession"("sessionId");

-- CreateIndex
CREATE INDEX "AdminSession_expiresAt_idx" ON "AdminSession"("expiresAt");

-- CreateIndex
CREATE INDEX "AdminInvitation_expiresAt_idx" ON "AdminInvitation"("expiresAt");

-- CreateIndex
CREATE INDEX "AdminFlash_expiresAt_idx" ON "AdminFlash"("expiresAt");

-- CreateIndex
CREATE INDEX "AuditRow_targetKind_targetId_seq_idx" ON "AuditRow"("targetKind", "targetId", "seq");

-- CreateIndex
CREATE INDEX "AuditRow_actor_seq_idx" ON "AuditRow"("actor", "seq");

-- CreateIndex
CREATE INDEX "AuditRow_action_seq_idx" ON "AuditRow"("action", "seq");

-- CreateIndex
CREATE INDEX "SearchTerm_kind_id_term_idx" ON "SearchTerm"("kind", "id", "term");

-- CreateIndex
CREATE INDEX "Event_name_outcome_id_idx" ON "Event"("name", "outcome", "id");

-- CreateIndex
CREATE INDEX "Event_clientId_outcome_id_idx" ON "Event"("clientId", "outcome", "id");

-- CreateIndex
CREATE INDEX "Event_outcome_id_idx" ON "Event"("outcome", "id");

-- CreateIndex
CREATE INDEX "Event_subject_id_idx" ON "Event"("subject", "id");

-- CreateIndex
CREATE INDEX "Event_reason_id_idx" ON "Event"("reason", "id");

-- CreateIndex
CREATE INDEX "Event_referenceId_id_idx" ON "Event"("referenceId", "id");

-- CreateIndex
CREATE INDEX "Event_flow_id_idx" ON "Event"("flow", "id");

-- CreateIndex
CREATE INDEX "Event_grantId_id_idx" ON "Event"("grantId", "id");

-- CreateIndex
CREATE INDEX "HourlyCount_hour_idx" ON "HourlyCount"("hour");

-- CreateIndex
CREATE INDEX "DailyCount_day_idx" ON "DailyCount"("day");

-- CreateIndex
CREATE INDEX "ClientDay_day_tokens_idx" ON "ClientDay"("day", "tokens");

-- CreateIndex
CREATE INDEX "ClientDay_day_refusals_idx" ON "ClientDay"("day", "refusals");

-- CreateIndex
CREATE INDEX "Visitor_day_idx" ON "Visitor"("day");
