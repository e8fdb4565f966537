-- AlterTable
ALTER TABLE "RecoveryCode" ADD COLUMN     "createdAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "TakenBackChange" (
    "id" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "takenBackAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "TakenBackChange_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "TakenBackChange_subject_idx" ON "TakenBackChange"("subject");

-- CreateIndex
CREATE INDEX "TakenBackChange_takenBackAt_idx" ON "TakenBackChange"("takenBackAt");

-- CreateIndex
CREATE INDEX "TakenBackChange_expiresAt_idx" ON "TakenBackChange"("expiresAt");
