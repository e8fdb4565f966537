-- AlterTable
ALTER TABLE "User" ADD COLUMN "lastSignInAt" DATETIME;

-- CreateIndex
CREATE INDEX "Client_updatedAt_clientId_idx" ON "Client"("updatedAt", "clientId");

-- CreateIndex
CREATE INDEX "Client_lastUsedAt_clientId_idx" ON "Client"("lastUsedAt", "clientId");

-- CreateIndex
CREATE INDEX "User_createdAt_subject_idx" ON "User"("createdAt", "subject");

-- CreateIndex
CREATE INDEX "User_lastSignInAt_subject_idx" ON "User"("lastSignInAt", "subject");
