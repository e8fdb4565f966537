-- AlterTable
ALTER TABLE "SubjectPreference" ADD COLUMN     "acceptedTerms" TEXT COLLATE "C",
ADD COLUMN     "acceptedTermsAt" TIMESTAMP(3),
ADD COLUMN     "emailOfferedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "SitePolicies" (
    "id" TEXT COLLATE "C" NOT NULL,
    "document" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SitePolicies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PlannedChange" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PlannedChange_pkey" PRIMARY KEY ("subject","kind")
);

-- CreateTable
CREATE TABLE "UserInvitation" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",
    "claims" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "subject" TEXT COLLATE "C",

    CONSTRAINT "UserInvitation_pkey" PRIMARY KEY ("digest")
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
SELECT 'site', '{"minimum_password_length":8}', 1, now() AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC'
WHERE EXISTS (SELECT 1 FROM "Meta");
