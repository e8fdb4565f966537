-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "subject" TEXT NOT NULL,
    "idp" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "signatureCounter" BIGINT NOT NULL,
    "transports" TEXT NOT NULL,
    "isBackedUp" BOOLEAN NOT NULL,
    "canBeBackedUp" BOOLEAN NOT NULL,
    "isDiscoverable" BOOLEAN,
    "aaguid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateTable
CREATE TABLE "AuthenticatorApp" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "sealedSecret" TEXT NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "subject" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "usedAt" DATETIME,

    PRIMARY KEY ("subject", "digest")
);

-- CreateTable
CREATE TABLE "TrustedBrowser" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "userAgent" TEXT,
    "address" TEXT,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "SubjectPreference" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "passkeyOfferedAt" DATETIME,
    "refusesPasskeys" BOOLEAN NOT NULL DEFAULT false
);

-- CreateTable
CREATE TABLE "MailProof" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "page" TEXT NOT NULL,
    "browser" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "subject" TEXT,
    "accountState" TEXT NOT NULL,
    "codeDigest" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "sealedDetails" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "UsedId" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Passkey_subject_idx" ON "Passkey"("subject");

-- CreateIndex
CREATE UNIQUE INDEX "TrustedBrowser_id_key" ON "TrustedBrowser"("id");

-- CreateIndex
CREATE INDEX "TrustedBrowser_subject_idx" ON "TrustedBrowser"("subject");

-- CreateIndex
CREATE INDEX "TrustedBrowser_expiresAt_idx" ON "TrustedBrowser"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "MailProof_page_key" ON "MailProof"("page");

-- CreateIndex
CREATE INDEX "MailProof_subject_purpose_idx" ON "MailProof"("subject", "purpose");

-- CreateIndex
CREATE INDEX "MailProof_expiresAt_idx" ON "MailProof"("expiresAt");

-- CreateIndex
CREATE INDEX "UsedId_expiresAt_idx" ON "UsedId"("expiresAt");
