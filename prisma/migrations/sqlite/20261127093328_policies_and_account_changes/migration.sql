-- AlterTable
ALTER TABLE "SubjectPreference" ADD COLUMN "acceptedTerms" TEXT;
ALTER TABLE "SubjectPreference" ADD COLUMN "acceptedTermsAt" DATETIME;
ALTER TABLE "SubjectPreference" ADD COLUMN "emailOfferedAt" DATETIME;

-- CreateTable
CREATE TABLE "SitePolicies" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "document" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "PlannedChange" (
    "subject" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL,

    PRIMARY KEY ("subject", "kind")
);

-- CreateTable
CREATE TABLE "UserInvitation" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "email" TEXT,
    "claims" TEXT NOT NULL,
    "createdBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "subject" TEXT
);

-- CreateIndex
CREATE INDEX "PlannedChange_dueAt_idx" ON "PlannedChange"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "UserInvitation_id_key" ON "UserInvitation"("id");

-- CreateIndex
CREATE INDEX "UserInvitation_createdAt_id_idx" ON "UserInvitation"("createdAt", "id");

-- CreateIndex
CREATE INDEX "UserInvitation_expiresAt_idx" ON "UserInvitation"("expiresAt");

-- An installation that already has data keeps its shortest password length
INSERT INTO "SitePolicies" ("id", "document", "version", "createdAt", "updatedAt")
SELECT 'site', '{"minimum_password_length":8}', 1, strftime('%Y-%m-%dT%H:%M:%f', 'now') || '+00:00',
  strftime('%Y-%m-%dT%H:%M:%f', 'now') || '+00:00'
WHERE EXISTS (SELECT 1 FROM "Meta");
