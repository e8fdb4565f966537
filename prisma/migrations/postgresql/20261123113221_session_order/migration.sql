-- CreateIndex
CREATE INDEX "Session_isPersistent_authenticatedAt_digest_idx" ON "Session"("isPersistent", "authenticatedAt", "digest");
