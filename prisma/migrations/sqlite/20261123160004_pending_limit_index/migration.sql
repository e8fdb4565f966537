-- DropIndex
DROP INDEX "PendingRequest_browser_createdAt_idx";

-- CreateIndex
CREATE INDEX "PendingRequest_browser_finishedAt_createdAt_idx" ON "PendingRequest"("browser", "finishedAt", "createdAt");
