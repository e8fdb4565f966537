-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "idp" TEXT COLLATE "C" NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "signatureCounter" BIGINT NOT NULL,
    "transports" TEXT COLLATE "C" NOT NULL,
    "isBackedUp" BOOLEAN NOT NULL,
    "canBeBackedUp" BOOLEAN NOT NULL,
    "isDiscoverable" BOOLEAN,
    "aaguid" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthenticatorApp" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "sealedSecret" TEXT COLLATE "C" NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "AuthenticatorApp_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("subject","digest")
);

-- CreateTable
CREATE TABLE "TrustedBrowser" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "userAgent" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "TrustedBrowser_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "SubjectPreference" (
    "subject" TEXT COLLATE "C" NOT NULL,
    "passkeyOfferedAt" TIMESTAMP(3),
    "refusesPasskeys" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "SubjectPreference_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "MailProof" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "page" TEXT COLLATE "C" NOT NULL,
    "browser" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C",
    "accountState" TEXT COLLATE "C" NOT NULL,
    "codeDigest" TEXT COLLATE "C" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "sealedDetails" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MailProof_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "UsedId" (
    "id" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UsedId_pkey" PRIMARY KEY ("id")
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
