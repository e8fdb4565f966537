-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "ConfigurationRevision" (
    "id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "ConfigurationRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Meta" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "Meta_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "Client" (
    "clientId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Client_pkey" PRIMARY KEY ("clientId")
);

-- CreateTable
CREATE TABLE "ClientSecret" (
    "clientId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT,
    "digest" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ClientSecret_pkey" PRIMARY KEY ("clientId","id")
);

-- CreateTable
CREATE TABLE "Scope" (
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Scope_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ScopeSecret" (
    "scopeName" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT,
    "digest" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ScopeSecret_pkey" PRIMARY KEY ("scopeName","id")
);

-- CreateTable
CREATE TABLE "IdentityProvider" (
    "scheme" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "domains" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "IdentityProvider_pkey" PRIMARY KEY ("scheme")
);

-- CreateTable
CREATE TABLE "User" (
    "subject" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "canonicalUsername" TEXT NOT NULL,
    "passwordHash" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "claims" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "ExternalLogin" (
    "scheme" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "externalSubject" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ExternalLogin_pkey" PRIMARY KEY ("scheme","issuer","externalSubject")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "acr" TEXT,
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "sessionId" TEXT,
    "scopes" TEXT NOT NULL,
    "isOffline" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationCode" (
    "digest" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "nonce" TEXT,
    "codeChallenge" TEXT,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "failedAttempts" INTEGER NOT NULL,

    CONSTRAINT "AuthorizationCode_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "RefreshToken" (
    "digest" TEXT NOT NULL,
    "grantId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "absoluteExpiresAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "accessTokenClaims" TEXT NOT NULL,
    "spentAt" TIMESTAMP(3),
    "successor" TEXT,
    "sealedAnswer" TEXT,
    "answerExpiresAt" TIMESTAMP(3),

    CONSTRAINT "RefreshToken_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ReferenceToken" (
    "digest" TEXT NOT NULL,
    "grantId" TEXT,
    "subject" TEXT,
    "clientId" TEXT NOT NULL,
    "claims" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReferenceToken_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RevokedToken_pkey" PRIMARY KEY ("jti")
);

-- CreateTable
CREATE TABLE "Consent" (
    "subject" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "Consent_pkey" PRIMARY KEY ("subject","clientId")
);

-- CreateTable
CREATE TABLE "Session" (
    "digest" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "acr" TEXT,
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "isPersistent" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "userAgent" TEXT,
    "address" TEXT,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "PendingRequest" (
    "digest" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "sealedParameters" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "finishedAt" TIMESTAMP(3),
    "chosenSubject" TEXT,
    "consent" TEXT,

    CONSTRAINT "PendingRequest_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ExternalSignIn" (
    "state" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "scheme" TEXT NOT NULL,
    "sealedPending" TEXT,
    "nonce" TEXT NOT NULL,
    "sealedCodeVerifier" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ExternalSignIn_pkey" PRIMARY KEY ("state")
);

-- CreateTable
CREATE TABLE "PartialSignIn" (
    "digest" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "amr" TEXT NOT NULL,
    "authenticatedAt" TIMESTAMP(3),
    "sealedPending" TEXT,
    "remember" BOOLEAN NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PartialSignIn_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ThrottleCounter" (
    "id" TEXT NOT NULL,
    "tries" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ThrottleCounter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "publicJwk" TEXT NOT NULL,
    "sealedPrivateJwk" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "activatesAt" TIMESTAMP(3) NOT NULL,
    "retiresAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "Administrator" (
    "subject" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3),

    CONSTRAINT "Administrator_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "AdminSession" (
    "digest" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminSession_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AdminInvitation" (
    "digest" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdBy" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminInvitation_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AdminFlash" (
    "digest" TEXT NOT NULL,
    "sessionDigest" TEXT NOT NULL,
    "sealedContent" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminFlash_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "AuditHead_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditRow" (
    "seq" INTEGER NOT NULL,
    "time" TIMESTAMP(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT,
    "actorRole" TEXT,
    "targetKind" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "referenceId" TEXT NOT NULL,
    "address" TEXT,
    "hash" TEXT NOT NULL,

    CONSTRAINT "AuditRow_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "SearchTerm" (
    "kind" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "SearchTerm_pkey" PRIMARY KEY ("kind","term","id")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" TEXT NOT NULL,
    "time" TIMESTAMP(3) NOT NULL,
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
    "checks" TEXT,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HourlyCount" (
    "hour" TIMESTAMP(3) NOT NULL,
    "metric" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "HourlyCount_pkey" PRIMARY KEY ("metric","hour","label")
);

-- CreateIndex
CREATE INDEX "Client_name_clientId_idx" ON "Client"("name", "clientId");

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
CREATE INDEX "ExternalLogin_subject_idx" ON "ExternalLogin"("subject");

-- CreateIndex
CREATE INDEX "Grant_subject_clientId_idx" ON "Grant"("subject", "clientId");

-- CreateIndex
CREATE INDEX "Grant_clientId_idx" ON "Grant"("clientId");

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
CREATE INDEX "Consent_clientId_subject_idx" ON "Consent"("clientId", "subject");

-- CreateIndex
CREATE INDEX "Consent_expiresAt_idx" ON "Consent"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Session_sessionId_key" ON "Session"("sessionId");

-- CreateIndex
CREATE INDEX "Session_subject_idx" ON "Session"("subject");

-- CreateIndex
CREATE INDEX "Session_lastSeenAt_idx" ON "Session"("lastSeenAt");

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
CREATE INDEX "Event_name_id_idx" ON "Event"("name", "id");

-- CreateIndex
CREATE INDEX "Event_outcome_id_idx" ON "Event"("outcome", "id");

-- CreateIndex
CREATE INDEX "Event_clientId_id_idx" ON "Event"("clientId", "id");

-- CreateIndex
CREATE INDEX "Event_subject_id_idx" ON "Event"("subject", "id");

-- CreateIndex
CREATE INDEX "Event_reason_id_idx" ON "Event"("reason", "id");

-- CreateIndex
CREATE INDEX "Event_referenceId_idx" ON "Event"("referenceId");

-- CreateIndex
CREATE INDEX "Event_flow_idx" ON "Event"("flow");

-- CreateIndex
CREATE INDEX "Event_grantId_idx" ON "Event"("grantId");

-- CreateIndex
CREATE INDEX "Event_time_idx" ON "Event"("time");

-- AddForeignKey
ALTER TABLE "ClientSecret" ADD CONSTRAINT "ClientSecret_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("clientId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ScopeSecret" ADD CONSTRAINT "ScopeSecret_scopeName_fkey" FOREIGN KEY ("scopeName") REFERENCES "Scope"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExternalLogin" ADD CONSTRAINT "ExternalLogin_subject_fkey" FOREIGN KEY ("subject") REFERENCES "User"("subject") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationCode" ADD CONSTRAINT "AuthorizationCode_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RefreshToken" ADD CONSTRAINT "RefreshToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReferenceToken" ADD CONSTRAINT "ReferenceToken_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
