-- DropIndex
DROP INDEX "AuthorizationCode_subject_clientId_expiresAt_idx";

-- CreateIndex
CREATE INDEX "AuthorizationCode_subject_clientId_usedAt_expiresAt_idx" ON "AuthorizationCode"("subject", "clientId", "usedAt", "expiresAt");
