-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "ConfigurationRevision" (
    "id" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "ConfigurationRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Meta" (
    "name" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Meta_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "Client" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "sortKey" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Client_pkey" PRIMARY KEY ("clientId")
);

-- CreateTable
CREATE TABLE "ClientSecret" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT COLLATE "C",
    "digest" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ClientSecret_pkey" PRIMARY KEY ("clientId","id")
);

-- CreateTable
CREATE TABLE "Scope" (
    "name" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "metadata" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Scope_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ScopeSecret" (
    "scopeName" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT COLLATE "C",
    "digest" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ScopeSecret_pkey" PRIMARY KEY ("scopeName","id")
);

-- CreateTable
CREATE TABLE "IdentityProvider" (
    "scheme" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C" NOT NULL,
    "issuer" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "clientSecret" TEXT COLLATE "C",
    "domains" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "IdentityProvider_pkey" PRIMARY KEY ("scheme")
);

-- CreateTable
CREATE TABLE "User" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "canonicalUsername" TEXT COLLATE "C" NOT NULL,
    "passwordHash" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL,
    "claims" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "ExternalLogin" (
    "scheme" TEXT COLLATE "C" NOT NULL,
    "issuer" TEXT COLLATE "C" NOT NULL,
    "externalSubject" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ExternalLogin_pkey" PRIMARY KEY ("scheme","issuer","externalSubject")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "idp" TEXT COLLATE "C" NOT NULL,
    "amr" TEXT COLLATE "C" NOT NULL,
    "acr" TEXT COLLATE "C",
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "sessionId" TEXT COLLATE "C",
    "scopes" TEXT COLLATE "C" NOT NULL,
    "isOffline" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationCode" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "grantId" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "redirectUri" TEXT COLLATE "C" NOT NULL,
    "nonce" TEXT COLLATE "C",
    "codeChallenge" TEXT COLLATE "C",
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "failedAttempts" INTEGER NOT NULL,

    CONSTRAINT "AuthorizationCode_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "RefreshToken" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "grantId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "absoluteExpiresAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "accessTokenClaims" TEXT COLLATE "C" NOT NULL,
    "spentAt" TIMESTAMP(3),
    "successor" TEXT COLLATE "C",
    "sealedAnswer" TEXT COLLATE "C",
    "answerExpiresAt" TIMESTAMP(3),

    CONSTRAINT "RefreshToken_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ReferenceToken" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "grantId" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "clientId" TEXT COLLATE "C" NOT NULL,
    "claims" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReferenceToken_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RevokedToken_pkey" PRIMARY KEY ("jti")
);

-- CreateTable
CREATE TABLE "Consent" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "Consent_pkey" PRIMARY KEY ("subject","clientId")
);

-- CreateTable
CREATE TABLE "Session" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "idp" TEXT COLLATE "C" NOT NULL,
    "amr" TEXT COLLATE "C" NOT NULL,
    "acr" TEXT COLLATE "C",
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "isPersistent" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "userAgent" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",

    CONSTRAINT "Session_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "PendingRequest" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "browser" TEXT COLLATE "C" NOT NULL,
    "sealedParameters" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "finishedAt" TIMESTAMP(3),
    "chosenSubject" TEXT COLLATE "C",
    "consent" TEXT COLLATE "C",

    CONSTRAINT "PendingRequest_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ExternalSignIn" (
    "state" TEXT COLLATE "C" NOT NULL,
    "browser" TEXT COLLATE "C" NOT NULL,
    "scheme" TEXT COLLATE "C" NOT NULL,
    "sealedPending" TEXT COLLATE "C",
    "nonce" TEXT COLLATE "C" NOT NULL,
    "sealedCodeVerifier" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ExternalSignIn_pkey" PRIMARY KEY ("state")
);

-- CreateTable
CREATE TABLE "PartialSignIn" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "browser" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "idp" TEXT COLLATE "C" NOT NULL,
    "amr" TEXT COLLATE "C" NOT NULL,
    "authenticatedAt" TIMESTAMP(3),
    "sealedPending" TEXT COLLATE "C",
    "remember" BOOLEAN NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PartialSignIn_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "ThrottleCounter" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tries" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ThrottleCounter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT COLLATE "C" NOT NULL,
    "algorithm" TEXT COLLATE "C" NOT NULL,
    "generation" INTEGER NOT NULL,
    "publicJwk" TEXT COLLATE "C" NOT NULL,
    "sealedPrivateJwk" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "activatesAt" TIMESTAMP(3) NOT NULL,
    "retiresAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "Administrator" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3),

    CONSTRAINT "Administrator_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "AdminSession" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "authenticatedAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminSession_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AdminInvitation" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminInvitation_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AdminFlash" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "sessionDigest" TEXT COLLATE "C" NOT NULL,
    "sealedContent" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AdminFlash_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditHead_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditRow" (
    "seq" INTEGER NOT NULL,
    "time" TIMESTAMP(3) NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C",
    "actorRole" TEXT COLLATE "C",
    "targetKind" TEXT COLLATE "C" NOT NULL,
    "targetId" TEXT COLLATE "C" NOT NULL,
    "before" TEXT COLLATE "C",
    "after" TEXT COLLATE "C",
    "referenceId" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C",
    "hash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditRow_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "SearchTerm" (
    "kind" TEXT COLLATE "C" NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SearchTerm_pkey" PRIMARY KEY ("kind","term","id")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" TEXT COLLATE "C" NOT NULL,
    "time" TIMESTAMP(3) NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "grantType" TEXT COLLATE "C",
    "reason" TEXT COLLATE "C",
    "referenceId" TEXT COLLATE "C" NOT NULL,
    "flow" TEXT COLLATE "C",
    "grantId" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",
    "userAgent" TEXT COLLATE "C",
    "details" TEXT COLLATE "C",
    "checks" TEXT COLLATE "C",

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HourlyCount" (
    "hour" TIMESTAMP(3) NOT NULL,
    "metric" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "HourlyCount_pkey" PRIMARY KEY ("metric","hour","label")
);

-- CreateTable
CREATE TABLE "DailyCount" (
    "day" INTEGER NOT NULL,
    "metric" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "DailyCount_pkey" PRIMARY KEY ("metric","day","label")
);

-- CreateTable
CREATE TABLE "ClientDay" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "day" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "refusals" INTEGER NOT NULL,

    CONSTRAINT "ClientDay_pkey" PRIMARY KEY ("clientId","day")
);

-- CreateTable
CREATE TABLE "Visitor" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "day" INTEGER NOT NULL,
    "before" INTEGER,

    CONSTRAINT "Visitor_pkey" PRIMARY KEY ("subject")
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
